import { type Clock, systemClock } from '../backends/clock/port.ts'
import type { Table } from '../backends/table/port.ts'
import { lambdaProcess } from '../lambda-process.ts'
import { renewing } from '../library/concurrency/renewal.ts'
import { halfOf } from '../library/jobs/claim.ts'
import { LEASE_MS, performJob } from '../library/jobs/perform.ts'
import { giveSlotBack, renewSlot } from '../library/jobs/slots.ts'
import { beginRun, isTurnFree, type Runs } from '../library/jobs/turns.ts'
import { type Backend, grantedOf } from '../resources.ts'
import { type JobTable, jobActor } from './consumer.ts'

/** The resources of a run besides those that its jobs declare. */
export interface RunningJobs {
  table: Table
  /** Starts a further run of the same function. */
  wakeNext(): Promise<void>
  /** Most runs of the function at a time: as many as its kinds declare, or fewer where the account allows few. */
  runs: number
  /** The machine's if nothing else is said. */
  clock?: Clock
}

/**
 * The Lambda handler of a group of kinds of jobs: a run does one job. It wakes a further run before it begins, where one more waits and may run, and
 * again when it has ended. It fails for no job: the job's record says what comes of that. infra/aws/bundling/entries.ts generates the call.
 * @param kinds by their names
 */
export function jobHandler(
  group: string,
  kinds: JobTable,
  backend: Partial<Backend>,
  { table, wakeNext, runs, clock = systemClock }: RunningJobs,
): () => Promise<void> {
  const { log: processLog, settings } = lambdaProcess()
  const logs = new Map(Object.keys(kinds).map((name) => [name, processLog.with({ function: name })]))
  const isHalved = Object.values(kinds).some(({ trigger }) => trigger.halfPerCompany)
  const bounds: Runs = { group, runs, kinds: boundsOf(kinds, runs), ...(isHalved && { perCompany: halfOf(runs) }) }

  return async () => {
    const begun = await beginRun({ table, clock }, bounds, LEASE_MS)
    // Those who have the slots look again when they end.
    if (!begun) return
    const { slot, job, isMore } = begun
    const declared = { ...kinds[slot.kind]!, name: slot.kind }
    const jobs = { table, clock, log: logs.get(slot.kind)! }
    try {
      await using _slot = renewing(clock, LEASE_MS, () => renewSlot(jobs, slot, LEASE_MS))
      if (isMore) await wakeNext().catch((error: unknown) => jobs.log.warn('the next run was not woken', { error }))
      if (job) {
        const event = { job, by: jobActor(declared, job), settings, clock, log: jobs.log, ...grantedOf(declared.uses, backend) }
        await performJob(jobs, job, () => declared.handle(event))
      }
    } finally {
      await giveSlotBack(jobs, slot)
    }
    // After the slot is free: a job that came meanwhile may have found none.
    if (await isTurnFree(jobs, bounds)) await wakeNext()
  }
}

/** Each kind leaves one slot of several to the others of its group. One that is alone has them all. */
function boundsOf(kinds: JobTable, runs: number): ReadonlyMap<string, number> {
  const declared = Object.entries(kinds)
  const most = declared.length === 1 ? runs : Math.max(runs - 1, 1)
  return new Map(declared.map(([name, { trigger }]) => [name, declared.length === 1 ? most : Math.min(trigger.runs, most)]))
}
