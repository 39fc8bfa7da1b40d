import type { Operations } from '../../backends/table/port.ts'
import { JobKind } from '../jobs/job.ts'
import type { Changing } from './changes.ts'
import type { MediaRecord } from './media.ts'

/** A file whose record is deleted. `uploadKey` is that of the posted file, which may still be there. */
export type RemovedFile = Pick<MediaRecord, 'mediaId' | 'uploadKey'>

/** Removes everything stored of deleted files of a company. */
export const fileRemovalJob = new JobKind<{ files: RemovedFile[] }>('remove-files')

/** The write that asks for it, in the transaction that deletes the records of files. None for no files. */
export function askForFileRemoval(library: Changing, deleted: readonly MediaRecord[]): Operations {
  const [first] = deleted
  if (!first) return {}
  const files = deleted.map(({ mediaId, uploadKey }) => ({ mediaId, uploadKey }))
  const { companyId, mediaId } = first
  return { 'removal of files': fileRemovalJob.ask(library, { companyId, subject: String(mediaId), input: { files } }) }
}
