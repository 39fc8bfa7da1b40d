import { MediaLibraryError } from '../../../client/media-library-error.ts'
import type { PartCalls } from '../../../client/upload-parts.ts'
import type { Schemas } from '../api/client.ts'
import { saveZip } from '../ui/save-zip.ts'

export type Contents = Schemas['SharedContents']
export type SharedFile = Schemas['SharedFile']
export type ShownFile = Schemas['ShownFile']

/** All calls of the page are below its own address, whose secret lets it in. */
const base = location.pathname.replace(/\/$/, '')
export const secret = base.slice(base.lastIndexOf('/') + 1)

async function call<Answer>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    signal: signal ?? null,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  }).catch(() => undefined)
  if (!response) throw new MediaLibraryError(0, {})
  const answer = await response.json().catch(() => ({}))
  if (!response.ok)
    throw new MediaLibraryError(response.status, { ...answer, retryAfter: Number(response.headers.get('retry-after') ?? 0) })
  return answer
}

export const unlock = (password: string): Promise<object> => call('POST', '/password', { password })

/** One page of what the link shows. @param page.size of pictures, as `320px` */
export function contents(
  { folder, isRecursive }: { folder: number | undefined; isRecursive: boolean },
  { offset, count, size }: { offset: number; count: number; size: string },
): Promise<Contents> {
  const query = new URLSearchParams({ offset: String(offset), count: String(count), thumbnail_size: size })
  if (folder !== undefined) query.set('folder_id', String(folder))
  if (isRecursive) query.set('recursive', '1')
  return call('GET', `/contents?${query}`)
}

export const look = (id: number): Promise<ShownFile> => call('GET', `/media/${id}`)
/** Whether a file is imported, or is to be awaited no more. */
export const isImported = (id: number): Promise<boolean> =>
  look(id).then(
    () => true,
    (error) => !(error instanceof MediaLibraryError && error.code === 'importing'),
  )
export const downloadUrl = async (id: number): Promise<string> => (await call<{ url: string }>('GET', `/media/${id}/download`)).url
/** Makes a zip of a folder or of some files, by default of all that the link shows, and downloads it. @throws MediaLibraryError */
export const downloadZip = (what: { folder_id?: number; media_ids?: number[] }): Promise<void> =>
  saveZip(call('POST', '/zip', what), (id) => call('GET', `/zip/${id}`))

/** Sends a file into the shared folder. */
export const sendingCalls: PartCalls = {
  begin: (file, signal) => call('POST', '/upload/multipart', file, signal),
  state: (uploadId, signal) => call('GET', `/upload/multipart/${uploadId}`, undefined, signal),
  urls: (uploadId, parts, signal) => call('POST', `/upload/multipart/${uploadId}/parts`, { parts }, signal),
  complete: (uploadId, body, signal) => call('POST', `/upload/multipart/${uploadId}/complete`, body, signal),
}
