import { createHash } from 'node:crypto'
import type { Operation, Operations } from '../../backends/table/port.ts'
import { isWritable } from '../../tools/metadata/fields.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { type AvailableMedia, isAvailable, type MediaRecord } from './media.ts'

/** Makes copies of originals, or of renditions of a size, with the metadata of their current versions. */
export const copiesJob = new JobKind<{ mediaIds: MediaId[]; size?: RenditionSize }>('prepare-downloads')

/** Most files of one job. */
export const MAX_COPIES = 20
/** In bytes. A job makes the copies of larger files, because a request would take too long. */
const MAX_REQUEST_BYTES = 100 * 1024 ** 2
/** In bytes. Larger files are delivered as imported, because writing metadata copies the whole file. */
const MAX_WRITTEN_BYTES = 2 * 1024 ** 3

type Stored = Partial<Pick<AvailableMedia, 'bytes' | 'mime'>>

/** Whether a file is too large for any tool to write. */
export const isTooLarge = ({ bytes = 0 }: Pick<Stored, 'bytes'>): boolean => bytes > MAX_WRITTEN_BYTES

/** Whether a job makes the copies of a file, instead of the request that needs one. @param largest file that a request copies, in bytes */
export function isCopiedByJob({ bytes = 0, mime = '' }: Stored, largest = MAX_REQUEST_BYTES): boolean {
  return isWritable(mime) && bytes > largest && !isTooLarge({ bytes })
}

/**
 * The write that asks for copies of files, at most `MAX_COPIES`. Equal requests share a job.
 * @param size of their renditions; without it copies of the originals
 */
export function askForCopies(
  library: Pick<Writing, 'clock' | 'by'>,
  companyId: CompanyId,
  mediaIds: readonly MediaId[],
  size?: RenditionSize,
): Operation {
  const files = mediaIds.length === 1 ? String(mediaIds[0]) : createHash('sha256').update(mediaIds.join()).digest('hex')
  const subject = size === undefined ? files : `${files}.${size}`
  return copiesJob.ask(library, { companyId, subject, input: { mediaIds: [...mediaIds], ...(size !== undefined && { size }) } })
}

/**
 * The writes that ask for copies of files at their next version, in the transaction that makes that version. Only for files that a job copies.
 * @param most number of copies, where the transaction has no room for more. The first download asks for the others
 */
export function copiesOfEdited(library: Pick<Writing, 'clock' | 'by'>, edited: readonly MediaRecord[], most?: number): Operations {
  const copied = edited.filter((media) => isAvailable(media) && isCopiedByJob(media)).slice(0, most)
  return Object.fromEntries(copied.map(({ companyId, mediaId }) => [`copy ${mediaId}`, askForCopies(library, companyId, [mediaId])]))
}
