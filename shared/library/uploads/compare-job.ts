import type { Actor } from '../actor.ts'
import { JobKind } from '../jobs/job.ts'

/** Joins the parts of an upload, compares their MD5 with the client's, and makes the file. `by`: who completed the upload. */
export const compareJob = new JobKind<{ uploadId: string; by: Actor }>('compare-upload')
