import type { Operation, Operations } from '../../backends/table/port.ts'
import { JobKind } from '../jobs/job.ts'
import type { Changing } from './changes.ts'
import type { MediaRecord } from './media.ts'

/** A file whose record is deleted. `uploadKey` is that of the posted file, which may still be there. */
export type RemovedFile = Pick<MediaRecord, 'mediaId' | 'uploadKey'>

/** Bytes that no number of a file has any more. `uploadKey` as above; `stored` absent: those of the first file. */
export type RemovedNumber = Pick<MediaRecord, 'mediaId' | 'uploadKey' | 'stored'>

/** Removes everything stored of deleted files of a company, and of numbers of files that stay. */
export const fileRemovalJob = new JobKind<{ files: RemovedFile[]; numbers?: RemovedNumber[] }>('remove-files')

/** The write that asks for it, in the transaction that deletes the records of files. None for no files. */
export function askForFileRemoval(library: Changing, deleted: readonly MediaRecord[]): Operations {
  const [first] = deleted
  if (!first) return {}
  const files = deleted.map(({ mediaId, uploadKey }) => ({ mediaId, uploadKey }))
  const { companyId, mediaId } = first
  return { 'removal of files': fileRemovalJob.ask(library, { companyId, subject: String(mediaId), input: { files } }) }
}

/** The write that asks for the removal of what is stored of a number, in the transaction after which no number has its bytes. */
export function askForNumberRemoval(library: Changing, removed: RemovedNumber & Pick<MediaRecord, 'companyId'>): Operation {
  const { companyId, mediaId, uploadKey, stored } = removed
  const number = { mediaId, uploadKey, ...(stored !== undefined && { stored }) }
  return fileRemovalJob.ask(library, { companyId, subject: `${mediaId}-${stored ?? 'first'}`, input: { files: [], numbers: [number] } })
}
