import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Objects } from '../../backends/objects/port.ts'
import type { Operation } from '../../backends/table/port.ts'
import { type MediaId, NOBODY } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { finalization, objectPrefix, putUpload } from '../uploads/uploads.ts'
import type { EntryFile, ItemFile } from './items.ts'

export type Depositing = Writing & { uploads: Pick<Objects, 'put'> }

/** A file stored among the uploads. */
export interface Deposit {
  /** Object in the `uploads` bucket. */
  uploadKey: string
  /** Its digest and size, for the item. */
  file: ItemFile
  /** The operation that records the file made of the upload. Without it the sweep of uploads removes the object. */
  finalization(mediaId: MediaId): Operation
}

/** Streams an item's file to an upload. @throws Error if the file has changed since it was first read */
export async function deposit(
  library: Depositing,
  folder: FolderRecord,
  { filename, file }: { filename: string; file: EntryFile },
): Promise<Deposit> {
  const { companyId, folderId } = folder
  const source = await file.open()
  const { uploadId } = await putUpload(library, { companyId, folderId, userId: NOBODY })
  const uploadKey = `${objectPrefix(uploadId)}${filename}`
  const digest = createHash('sha256')
  async function* digested() {
    for await (const chunk of source) {
      digest.update(chunk)
      yield chunk
    }
  }
  const body = Readable.from(digested(), { objectMode: false })
  const { bytes } = await library.uploads.put(uploadKey, body, { contentType: 'application/octet-stream' })
  // The sweep of uploads removes the orphaned object.
  if (bytes !== file.bytes) throw new Error(`The file ${file.name} has changed while it was imported. Run the command again.`)
  const stored = { sha256: digest.digest('hex'), bytes }
  return { uploadKey, file: stored, finalization: (mediaId) => finalization(uploadId, { mediaId }) }
}
