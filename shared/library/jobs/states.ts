import type { CompanyId } from '../../vocabulary/ids.ts'
import { type Due, dueTime } from '../due.ts'

/*
 * A job's state is its place in the index of due records. A partition of the index takes 1,000 writes a second. Many jobs may be requested
 * at once, so each kind has its own partition for waiting ones. Jobs in other states change only with runs, so one partition is enough for
 * all of them, and one query finds what is due.
 *
 *   WAITING#<kind>    <company>#<time>   may run; ordered by company, so that companies take turns. Jobs that yield to the company's other
 *                                        jobs have `~#` before the time
 *   LATER             <time>             waits from that time on
 *   RUNNING           <time>             leased by a run until then, unless it renews the lease
 *   FAILED            <kind>#<time>      failed too often to be retried soon: waits again from that time on
 */
export const states = ['waiting', 'later', 'running', 'failed'] as const

export type JobState = (typeof states)[number]

const DIGITS = 10
/** Sorts after all strings with the same beginning. */
const END = '\uffff'

export const waitingKey = (kind: string): string => `WAITING#${kind}`
export const LATER = 'LATER'
export const RUNNING = 'RUNNING'
export const FAILED = 'FAILED'

const companyPart = (companyId: CompanyId): string => String(companyId).padStart(DIGITS, '0')

interface OfKind {
  kind: string
}

/** What a job's place among waiting ones depends on. */
type Waiting = OfKind & { companyId: CompanyId; yields?: boolean | undefined }

/** Sorts after all times. */
const YIELDING = '~#'

/** @param since UNIX milliseconds, like all times here */
export const waitingSince = ({ kind, companyId, yields }: Waiting, since: number): Due => ({
  dueKey: waitingKey(kind),
  dueAt: `${companyPart(companyId)}#${yields ? YIELDING : ''}${dueTime(since)}`,
})
export const laterAt = (at: number): Due => ({ dueKey: LATER, dueAt: dueTime(at) })
/** Waiting, or later if `at` is in the future. @param at in UNIX milliseconds, like `now` */
export const placeAfter = (job: Waiting, at: number, now: number): Due => (at > now ? laterAt(at) : waitingSince(job, now))
export const runningUntil = (until: number): Due => ({ dueKey: RUNNING, dueAt: dueTime(until) })
export const failedUntil = ({ kind }: OfKind, until: number): Due => ({ dueKey: FAILED, dueAt: `${kind}#${dueTime(until)}` })

/** Sort keys of waiting jobs of all companies after one. */
export const behind = (companyId: CompanyId): { from: string } => ({ from: `${companyPart(companyId)}#${END}` })

/** The company of a waiting job. */
export const companyIn = ({ dueAt }: Pick<Due, 'dueAt'>): CompanyId => Number(dueAt.slice(0, DIGITS)) as CompanyId

/** The time in a job's place: the begin of its wait, the end of its lease, or its next run. */
export const timeIn = ({ dueAt }: Pick<Due, 'dueAt'>): number => Date.parse(dueAt.slice(dueAt.lastIndexOf('#') + 1))

export const isWaiting = ({ dueKey }: Pick<Due, 'dueKey'>): boolean => dueKey.startsWith('WAITING#')

/** @throws Error if the record is no job's */
export function stateOf({ dueKey }: Pick<Due, 'dueKey'>): JobState {
  const name = dueKey.split('#', 1)[0]!.toLowerCase()
  const state = states.find((each) => each === name)
  if (!state) throw new Error(`no state of a job: ${dueKey}`)
  return state
}
