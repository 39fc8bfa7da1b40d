import { type Due, due } from './due.ts'

const HOUR_MS = 3_600_000
/** Jobs end within minutes, where many wait within an hour or two: one that has not ended after this counts as lost. */
export const LOST_AFTER_MS = 3 * HOUR_MS
/** Less than half of the 14 days that dead letters are kept: while a job fails again and again there always is one, and its alarm. */
const LONGEST_PAUSE_MS = 7 * 24 * HOUR_MS

/** Places a record whose job starts now in the index of jobs that may be lost. Whoever ends the job takes it out in the same transaction. */
export const jobDue = (id: number, started: number): Due => due('JOB', id, started + LOST_AFTER_MS)

/**
 * When to look after a job again that was just queued anew: at twice its age, at most a week later. So a job that waits behind many others is
 * queued a few times too often, not every hour, and one that nothing helps costs little.
 * @param started when its state began, in UNIX milliseconds, as `now`
 */
export const jobDueAgain = (id: number, started: number, now: number): Due =>
  due('JOB', id, now + Math.min(LONGEST_PAUSE_MS, Math.max(LOST_AFTER_MS, now - started)))
