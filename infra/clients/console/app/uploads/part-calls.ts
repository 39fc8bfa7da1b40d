import { api, dataOf } from '../api/client.ts'
import type { PartCalls } from './send-parts.ts'

/** The calls of an upload in parts to a folder. */
export function partCallsTo(folder: number): PartCalls {
  const path = (uploadId: string) => ({ path: { uploadId } })
  return {
    begin: (file, signal) => {
      const body = { folder, filename: file.name, bytes: file.size }
      return dataOf(api.POST('/upload/multipart', { body, signal }))
    },
    state: (uploadId, signal) => dataOf(api.GET('/upload/multipart/{uploadId}', { params: path(uploadId), signal })),
    urls: (uploadId, parts, signal) =>
      dataOf(api.POST('/upload/multipart/{uploadId}/parts', { params: path(uploadId), body: { parts }, signal })),
    complete: (uploadId, signal) => dataOf(api.POST('/upload/multipart/{uploadId}/complete', { params: path(uploadId), body: {}, signal })),
  }
}

/** Gives an upload up, which frees its parts. */
export async function abortParts(uploadId: string): Promise<void> {
  await dataOf(api.DELETE('/upload/multipart/{uploadId}', { params: { path: { uploadId } } }))
}
