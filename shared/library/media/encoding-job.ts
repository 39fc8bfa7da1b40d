import type { Operation } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'

/** Brings what is stored of a video to what its record says. The job is there while something is being encoded, or is to be removed. */
export const videoJob = new JobKind<{ mediaId: MediaId }>('encode-video')

/** The write that asks for the job of a video. */
export function askForEncoding(
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: { companyId: CompanyId; mediaId: MediaId },
): Operation {
  return videoJob.ask(library, { companyId, subject: String(mediaId), input: { mediaId } })
}
