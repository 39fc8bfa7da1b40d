import type { ObjectReader } from '../../backends/objects/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import { objectPrefix, type UploadRecord, uploadIdOf, uploadKey } from './uploads.ts'

/**
 * Why a file may not be posted to a key, in a sentence; undefined where it may. A form is good for an hour, its upload only until it is
 * finalized, and for one file. S3 can't ask; there the sweep (sweep.ts) removes what was posted in vain.
 */
export async function whyNotPosted(
  { table, uploads }: { table: TableReader; uploads: Pick<ObjectReader, 'list'> },
  key: string,
): Promise<string | undefined> {
  const uploadId = uploadIdOf(key)
  const upload = await table.get<UploadRecord>(uploadKey(uploadId))
  if (!upload) return 'There is no such upload.'
  if (upload.mediaId !== undefined) return 'This upload is finalized. Register another one.'
  const { objects } = await uploads.list(objectPrefix(uploadId), { limit: 2 })
  if (objects.some((object) => object.key !== key)) return 'Another file was posted for this upload. Register another one.'
  return undefined
}
