import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { text } from '../language/language.svelte.ts'
import { reasonOf } from '../ui/notices.svelte.ts'

/** Why something about versions of a file was refused, for people. @param places names of what it was done with, where that is known */
export function refusedText(error: unknown, places?: string): string {
  const known = new Map([
    ['media_type_differs', text.otherKindOfFile],
    ['quota_exceeded', text.noRoomForVersion],
    ['version_mismatch', text.changedSinceShown],
    ['trashed', text.isInTrash],
    ['current_file', text.isCurrentVersion],
    ['not_available', text.versionNotAvailable],
    ['pinned', text.versionIsKept],
  ])
  return (error instanceof MediaLibraryError && known.get(error.code)) || reasonOf(error, places)
}
