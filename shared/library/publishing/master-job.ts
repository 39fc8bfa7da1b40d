import type { LinkId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'

/** Makes the master of the picture that a link shows since this revision. */
export const masterJob = new JobKind<{ linkId: LinkId; revision: number }>('make-master')
