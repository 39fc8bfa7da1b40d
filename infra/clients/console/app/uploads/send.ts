import type { Calls } from '../../../client/calls.ts'
import { upload } from '../../../client/upload.ts'
import type { UploadOptions } from '../../../client/upload-source.ts'
import { api, dataOf } from '../api/client.ts'
import { TRIES } from './try-again.ts'

/** What the client package's uploader calls, in the session of this page. */
const calls = {
  get: (path: never, init: never) => dataOf(api.GET(path, init)),
  post: (path: never, init: never) => dataOf(api.POST(path, init)),
} as unknown as Pick<Calls, 'get' | 'post'>

/** Sends a file. @returns its id @throws MediaLibraryError, the signal's reason; what has arrived stays for another try */
export const send = (file: File, options: UploadOptions): Promise<number> => upload(calls, file, options, TRIES)

/** Gives an upload up, which frees its parts. */
export async function abortParts(uploadId: string): Promise<void> {
  await dataOf(api.DELETE('/upload/multipart/{uploadId}', { params: { path: { uploadId } } }))
}
