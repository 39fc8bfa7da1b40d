import type { Operation } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { MediaRecord } from './media.ts'

/**
 * Deletes numbers of a file that its company keeps no longer: those that may go at a time (`at`, UNIX milliseconds), or where that is absent all that are too
 * many now.
 */
export const sweepJob = new JobKind<{ mediaId: MediaId; at?: number }>('sweep-files')

/** A number that leaves those which are kept stays for so long, in milliseconds: clients may cache the URLs of its pictures for 23 hours. */
export const SUPERSEDED_MS = 23 * 60 * 60 * 1000

/**
 * The write that asks for a sweep once what is superseded now may go.
 * @param cause makes it a job of its own. So a file that changes all the time is swept, too
 */
export function askForSweep(
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>,
  cause: string | number,
): Operation {
  const at = library.clock.now() + SUPERSEDED_MS
  return sweepJob.ask(library, { companyId, subject: `${mediaId}-${cause}`, input: { mediaId, at }, at })
}
