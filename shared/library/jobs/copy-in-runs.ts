import type { BegunCopy, CopyInRuns } from '../../backends/objects/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { type JobInHand, note } from './run.ts'

/**
 * Copies an object of any size: each run of the job copies as much as it has time for, and the next one goes on.
 * @param job has no other cursor. What is copied throws `LeaseLost` where the run has it no more
 */
export function copyInRuns(library: { table: Table }, job: Pick<JobInHand, 'cursor' | 'noting'>): CopyInRuns {
  return {
    begun: job.cursor as BegunCopy | undefined,
    async begin(copy) {
      this.begun = copy
      await note(library, job, { cursor: copy })
    },
  }
}
