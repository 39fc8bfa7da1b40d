import { createHash } from 'node:crypto'
import type { Operation } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { MetadataEdit } from './changes.ts'
import { knownCopyright } from './link.ts'
import type { MediaRecord } from './media.ts'

/** Has stored pictures of files say what the library knows now: renditions, and posters of videos. */
export const labelsJob = new JobKind<{ companyId: CompanyId; mediaIds: MediaId[] }>('label-pictures')

/** Whether an edit changes what the stored pictures of a file say. */
export function changesLabels(media: MediaRecord, { edited, emptied }: MetadataEdit): boolean {
  const { kind } = media
  const after = { ...media, ...edited, emptied: emptied ?? media.emptied }
  return (kind === 'image' || kind === 'video') && knownCopyright(media) !== knownCopyright(after)
}

/** The write that asks for the labels of files of a company, in the transaction that changes what they say. Equal requests share a job. */
export function askForLabels(
  library: Pick<Writing, 'clock' | 'by'>,
  companyId: CompanyId,
  mediaIds: readonly MediaId[],
  at?: number,
): Operation {
  const subject = mediaIds.length === 1 ? String(mediaIds[0]) : createHash('sha256').update(mediaIds.join()).digest('hex')
  return labelsJob.ask(library, { companyId, subject, input: { companyId, mediaIds: [...mediaIds] }, ...(at !== undefined && { at }) })
}
