import type { Due } from '../../shared/library/due.ts'

/** What earlier versions wrote into records whose work they queued: when it counted as lost. @param started UNIX milliseconds */
export const jobDue = (id: number, started: number): Due => ({
  dueKey: `JOB#${id % 4}`,
  dueAt: new Date(started + 3 * 3_600_000).toISOString(),
})
