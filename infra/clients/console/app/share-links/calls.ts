import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { text } from '../language/language.svelte.ts'
import { reasonOf } from '../ui/notices.svelte.ts'

export type ShareLink = Schemas['ShareLink']
/** What people may download by a link. */
export type Downloads = ShareLink['allow']['download']
/** What a link may be given when it is made and when it is changed. */
export type ChangeOfShare = Schemas['ShareChangeInput']
/** A folder or files. */
export type Shared = { folder_id: number } | { media_ids: number[] }

/** Most files that one link shows. */
export const MOST_SHARED = 500

const ofShare = (shareId: string) => ({ params: { path: { shareId } } })

/** The user's own links; all of the company for admins. Newest first. */
export const listShares = async (): Promise<ShareLink[]> => (await dataOf(api.GET('/share'))).shares

/** Makes a link. @returns its address */
export const makeShare = (shared: Shared, terms: ChangeOfShare): Promise<string> =>
  addressIn(dataOf(api.POST('/share', { body: { ...shared, ...terms } })))

/** Gives a link a new address, and ends the former one. @returns it, which the service tells its maker alone again */
export const renewShare = (id: string): Promise<string> => addressIn(dataOf(api.POST('/share/{shareId}/secret', ofShare(id))))

export const changeShare = (id: string, change: ChangeOfShare): Promise<ShareLink> =>
  dataOf(api.POST('/share/{shareId}', { ...ofShare(id), body: change }))

export const removeShare = (id: string): Promise<unknown> => dataOf(api.DELETE('/share/{shareId}', ofShare(id)))

/** Why a link was not made or changed, for people. */
export function whyNotShared(error: unknown): string {
  if (error instanceof MediaLibraryError && error.code === 'too_many_shares') return text.tooManyShares
  return reasonOf(error)
}

async function addressIn(answer: Promise<{ url?: string | null | undefined }>): Promise<string> {
  const { url } = await answer
  if (!url) throw new Error(text.failed)
  return url
}
