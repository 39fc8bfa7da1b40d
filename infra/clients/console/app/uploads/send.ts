import type { Calls } from '../../../client/calls.ts'
import { upload as sendFile } from '../../../client/upload.ts'
import type { UploadOptions } from '../../../client/upload-source.ts'
import { api, dataOf } from '../api/client.ts'
import { TRIES, tryAgain } from './try-again.ts'
import { isLarge, type Upload } from './upload.ts'

/** What the client package's uploader calls, in the session of this page. */
const calls = {
  get: (path: never, init: never) => dataOf(api.GET(path, init)),
  post: (path: never, init: never) => dataOf(api.POST(path, init)),
} as unknown as Pick<Calls, 'get' | 'post'>

/**
 * Sends a file to its folder, or as a new version of the file that it replaces, and notes that in the browser.
 * @param onprogress is called when more has arrived
 * @returns its id @throws MediaLibraryError, the signal's reason; what has arrived of a large one stays for another try
 */
export const send = (upload: Upload, signal: AbortSignal, onprogress: () => void): Promise<number> =>
  tryAgain(async () => {
    const { to, wanted, begun, replaces } = upload
    const file = upload.file!
    const place = to && { folder: await to.folders.of(wanted.folders), earlier: await to.earlier }
    const options: UploadOptions = {
      ...(replaces === undefined ? { folder: place!.folder } : { replaces }),
      signal,
      resume: begun && begun.replaces === replaces && isSame(begun.file, file) ? begun.resume : undefined,
      onBegin: async (uploadId) => {
        upload.begun = { file, resume: uploadId, replaces }
        if (isLarge(upload)) await place?.earlier.keep(file, place.folder, { uploadId, ...(replaces !== undefined && { replaces }) })
      },
      onProgress: (bytes) => {
        upload.sent = bytes
        onprogress()
      },
      onUnchanged: () => {
        upload.isUnchanged = true
      },
    }
    const mediaId = await sendFile(calls, file, options, TRIES)
    // Of a file that has versions only its bytes tell whether it is there.
    if (replaces === undefined) await place?.earlier.keep(file, place.folder, { mediaId })
    else if (isLarge(upload)) await place?.earlier.forget(wanted, file, place.folder)
    return mediaId
  }, signal)

/** Gives a large upload up that was begun, which frees its parts. */
export async function abandon({ wanted, file, to }: Upload, uploadId: string): Promise<void> {
  if (to && file) await (await to.earlier).forget(wanted, file, await to.folders.of(wanted.folders))
  // The service gives it up itself after some days.
  await dataOf(api.DELETE('/upload/multipart/{uploadId}', { params: { path: { uploadId } } })).catch(() => undefined)
}

const isSame = (one: File, other: File): boolean => one.size === other.size && one.lastModified === other.lastModified
