import type { Operations } from '../../backends/table/port.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { ShareRecord } from './share.ts'

/** Ends the open uploads of a share link, its subject, that was removed or closed, or has another address or end. */
export const endUploadsJob = new JobKind<{ shareId: string }>('end-shared-uploads')

/** The write that ends what is being sent by a link where it takes uploads. It goes along with the one that closes the link. */
export const uploadsEnd = (library: Writing, { shareId, companyId, upload }: ShareRecord): Operations =>
  upload ? { uploads: endUploadsJob.ask(library, { companyId, subject: shareId, input: { shareId } }) } : {}
