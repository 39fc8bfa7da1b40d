import type { Operation } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { MediaRecord } from './media.ts'

/** Deletes numbers of a file that its company no longer keeps. `at`: when they may go, in UNIX milliseconds; absent: at once, and what is too new for that later. */
export const sweepJob = new JobKind<{ mediaId: MediaId; at?: number }>('sweep-files')

/** How long a number stays after newer ones have pushed it out, in milliseconds: clients may cache URLs of its pictures for 23 hours. */
export const SUPERSEDED_MS = 23 * 60 * 60 * 1000

/**
 * The write that asks for a sweep at the time when a number that is pushed out now may go.
 * @param cause makes it a job of its own: one job per file would be put off by each further change
 */
export function askForSweep(
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>,
  cause: string | number,
): Operation {
  const at = library.clock.now() + SUPERSEDED_MS
  return sweepJob.ask(library, { companyId, subject: `${mediaId}-${cause}`, input: { mediaId, at }, at })
}
