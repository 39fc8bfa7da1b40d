import type { ConsumedObjects, PartUploads } from '../../backends/objects/port.ts'
import { type Completing, completeIntoFolder, join, md5ToCompare } from './complete-parts.ts'
import { endUpload } from './ending.ts'
import { uploadedFilename } from './filename.ts'
import type { PartUploadRecord } from './part-upload.ts'
import { findPartUpload } from './part-uploads.ts'
import { committed, finalizedOf, isRefusal, type ReplacingUpload, replaceOrEnd, sentInParts, stillReplaceable } from './replace.ts'
import {
  type Finalized,
  type Finalizing,
  finalizedBy,
  finalizeIntoFolder,
  objectPrefix,
  postedFile,
  registeredUpload,
  type UploadRecord,
} from './uploads.ts'

/** Largest posted file of which a request reads the MD5, in bytes. */
const READABLE_BYTES = 256 * 1024 ** 2

/**
 * Makes of what was posted what it was registered for: a file in a folder, or the next version of one. Idempotent.
 * @param objectKey key of the posted file, as storage reports it
 * @throws what `registeredUpload`, `finalizeIntoFolder` and `replaceBy` throw
 */
export async function finishForm(
  library: Finalizing & { uploads: ConsumedObjects },
  uploadId: string,
  objectKey: string | undefined,
): Promise<Finalized & Pick<UploadRecord, 'redirectUrl'>> {
  const upload = await registeredUpload(library, uploadId)
  const { redirectUrl } = upload
  const known = finalizedOf(upload)
  if (known) return { ...known, redirectUrl }
  if (!('replaces' in upload)) return { mediaId: await finalizeIntoFolder(library, upload, objectKey), redirectUrl }
  const { key, bytes } = await postedFile(library, uploadId, objectKey)
  const filename = uploadedFilename(key.slice(objectPrefix(uploadId).length))
  const replacing = { ...library, by: finalizedBy(library, upload) }
  return { ...(await replaceOrEnd(replacing, upload, { key, bytes, filename, readableBytes: READABLE_BYTES })), redirectUrl }
}

/**
 * Makes of the parts of an upload what it was begun for: a file in a folder, or the next version of one. Idempotent.
 * @param expectedMd5 MD5 of the file, in lower-case hex
 * @throws what `findPartUpload`, `completeIntoFolder` and `replaceBy` throw
 */
export async function finishParts(
  library: Completing & { partUploads: Pick<PartUploads, 'abortParts'>; uploads: ConsumedObjects },
  uploadId: string,
  expectedMd5: string | undefined,
): Promise<Finalized> {
  const upload = await findPartUpload(library, uploadId)
  const known = finalizedOf(upload)
  if (known) return known
  if (!('replaces' in upload)) return { mediaId: await completeIntoFolder(library, upload, expectedMd5) }
  await requireReplaceable(library, upload)
  const md5 = md5ToCompare(upload, expectedMd5)
  await join(library, upload, md5)
  return replaceOrEnd(library, upload, sentInParts(upload, { md5, readableBytes: library.partUploads.maxComparedBytes }))
}

/** An upload that can't replace its file any more ends before its parts are joined. */
async function requireReplaceable(
  library: Completing & { partUploads: Pick<PartUploads, 'abortParts'> },
  upload: PartUploadRecord & ReplacingUpload,
): Promise<void> {
  try {
    await stillReplaceable(library, upload)
  } catch (error) {
    if (isRefusal(error)) await endUpload(committed(library), upload)
    throw error
  }
}
