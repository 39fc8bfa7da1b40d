import { api, dataOf, type Schemas } from '../api/client.ts'
import type { Page } from './paged-list.svelte.ts'

/** A file that a file of the library is, was, or is to be. */
export type Version = Schemas['MediaFile']
/** One that has a number: it isn't being imported. */
export type NumberedVersion = Version & { number: number }

/** A step of a file's history. */
export type Change = Schemas['HistoryEntry']

export const hasNumber = (version: Version): version is NumberedVersion => version.number !== null

/** How often the service is asked whether an import has ended, in milliseconds. */
const POLL = 1_000

/** Versions of a file, newest first. @param cursor where an earlier page ended */
export async function listVersions(id: number, cursor?: string): Promise<Page<Version>> {
  const answer = await dataOf(
    api.GET('/media/{id}/files', { params: { path: { id }, query: { ...(cursor !== undefined && { cursor }) } } }),
  )
  return { items: answer.files, cursor: nextOf(answer) }
}

/** Changes of a file, newest first. @param cursor where an earlier page ended */
export async function listChanges(id: number, cursor?: string): Promise<Page<Change>> {
  const query = { ...(cursor !== undefined && { cursor }) }
  const answer = await dataOf(api.GET('/media/{id}/history', { params: { path: { id }, query: query as never } }))
  return { items: answer.entries, cursor: nextOf(answer) }
}

const nextOf = ({ cursor, more }: { cursor: string | null; more: boolean }): string | undefined => (more && cursor ? cursor : undefined)

/** Puts back what a change has changed. @param force also where it was changed again since */
export const revertChange = (id: number, version: number, force: boolean) =>
  dataOf(api.POST('/media/{id}/history/{version}/revert', { params: { path: { id, version } }, body: { force } }))

/** Waits until none is being imported any more. @returns the newest one, as it ended @param isStopped whether nobody waits any more */
export async function importedVersion(id: number, isStopped: () => boolean = () => false): Promise<Version | undefined> {
  for (;;) {
    const { items } = await listVersions(id)
    if (isStopped() || !items.some(({ state }) => state === 'importing')) return items[0]
    await new Promise((resolve) => setTimeout(resolve, POLL))
  }
}

const of = (id: number, number: number) => ({ params: { path: { id, number } } })

export const noteVersion = (id: number, number: number, note: { comment?: string; pinned?: boolean }): Promise<Version> =>
  dataOf(api.POST('/media/{id}/files/{number}', { ...of(id, number), body: note }))

/** @returns the number under which it is current now; undefined where the current one has the same bytes */
export async function restoreVersion(id: number, number: number): Promise<number | undefined> {
  const restored = await dataOf(api.POST('/media/{id}/files/{number}/restore', { ...of(id, number), body: {} }))
  return 'file_number' in restored ? restored.file_number : undefined
}

export const deleteVersion = (id: number, number: number) => dataOf(api.DELETE('/media/{id}/files/{number}', of(id, number)))

export const versionAddress = async (id: number, number: number): Promise<string> =>
  (await dataOf(api.GET('/media/{id}/files/{number}/download_location', of(id, number)))).url
