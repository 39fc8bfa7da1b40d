import type { Operation } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { MediaRecord } from './media.ts'

/** Imports the file of a finalized upload. */
export const importJob = new JobKind<{ mediaId: MediaId }>('import-media')

/** The write that asks for the import of a file, in the transaction that makes the file wait for it. */
export const askForImport = (
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>,
): Operation => importJob.ask(library, { companyId, subject: String(mediaId), input: { mediaId } })
