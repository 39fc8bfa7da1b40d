import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { text } from '../language/language.svelte.ts'
import { reasonOf } from '../ui/notices.svelte.ts'

/** Why something about a person or a password was refused, for people. */
export function refusedText(error: unknown): string {
  const known = new Map([
    ['user_exists', text.userExists],
    ['last_admin', text.lastAdmin],
    ['other_company', text.otherCompany],
    ['by_provider', text.hasProvider],
    ['user_disabled', text.isDisabled],
    ['wrong_password', text.wrongCurrentPassword],
    ['weak_password', text.weakPassword],
  ])
  return (error instanceof MediaLibraryError && known.get(error.code)) || reasonOf(error)
}
