import type { BegunCopy, CopyInRuns } from '../../backends/objects/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { type JobInHand, note } from './run.ts'

/**
 * Copies an object of any size: each run of the job copies as much as time allows, and the next one continues.
 * @param job must have no other cursor. Starting the copy throws `LeaseLost` if the run has lost the job
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
