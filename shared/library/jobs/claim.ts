import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Due } from '../due.ts'
import type { Claimed, JobRecord, Jobs } from './job.ts'
import { asLeased, heldBy, isLeased, newLease } from './lease.ts'
import { behind, companyIn, runningUntil, waitingKey } from './states.ts'

/** Jobs of a company that are tried before the next company gets its turn: other runs may have claimed some of them. */
const BATCH = 10

/**
 * Claims the next job of a kind, round-robin over companies. Jobs of one company are in the order in which they began to wait.
 * @param after the company that had the last turn
 * @param leaseMs duration of the lease
 * @param full companies at their limit of runs
 * @returns undefined if none waits
 */
export async function claimNext(
  jobs: Jobs,
  kind: string,
  after: CompanyId | undefined,
  leaseMs: number,
  full?: ReadonlySet<CompanyId>,
): Promise<Claimed | undefined> {
  for await (const { entries } of companiesInTurn(jobs, kind, after, full)) {
    const job = await claimOne(jobs, entries, leaseMs)
    if (job) return job
  }
  return undefined
}

/** Claims the first of these jobs that no other run has claimed. */
export async function claimOne(jobs: Jobs, entries: readonly Key[], leaseMs: number): Promise<Claimed | undefined> {
  for (const entry of entries) {
    const job = await claim(jobs, entry, leaseMs)
    if (job) return job
  }
  return undefined
}

/** The first waiting jobs of a company. */
export interface CompanyWaiting {
  companyId: CompanyId
  entries: Key[]
}

/** Limit of runs for one company: half of all. */
export const halfOf = (runs: number): number => Math.max(1, Math.floor(runs / 2))

/** The companies with at least this many runs. @param running the company of each run */
export function companiesWith(most: number, running: Iterable<CompanyId>): ReadonlySet<CompanyId> {
  const runs = Map.groupBy(running, (companyId) => companyId)
  return new Set([...runs].filter(([, each]) => each.length >= most).map(([companyId]) => companyId))
}

/** The first waiting jobs of each company that isn't `full`, in the order of ids from the one after `after` round to `after`. */
export async function* companiesInTurn(
  { table }: Jobs,
  kind: string,
  after: CompanyId | undefined,
  full: ReadonlySet<CompanyId> = new Set(),
): AsyncGenerator<CompanyWaiting> {
  for (const end of after === undefined ? [undefined] : [undefined, after]) {
    let last = end === undefined ? after : undefined
    for (;;) {
      const sk = last === undefined ? {} : { sk: behind(last) }
      const { items } = await table.query<Key & Due>({ index: 'trashDue', pk: waitingKey(kind), ...sk, limit: BATCH })
      if (items.length === 0) break
      const companyId = companyIn(items[0]!)
      if (end !== undefined && companyId > end) break
      if (!full.has(companyId)) yield { companyId, entries: items.filter((entry) => companyIn(entry) === companyId) }
      last = companyId
    }
  }
}

/** @returns undefined if another run was faster, or the index lags */
async function claim({ table, clock }: Jobs, { pk, sk }: Key, leaseMs: number): Promise<Claimed | undefined> {
  const job = await table.get<JobRecord>({ pk, sk })
  if (job?.dueKey !== waitingKey(job?.kind ?? '')) return undefined
  if (isLeased(job, clock.now())) {
    // The job was requested again while it runs. The end of the run handles that.
    const unchanged = { ...asLeased(job), asked: { equals: job.asked } }
    await held(table.update({ pk, sk }, { set: runningUntil(job.leaseEnd!) }, unchanged))
    return undefined
  }
  return takeLease({ table, clock }, job, leaseMs)
}

/** Leases a job that no other run has. @returns undefined if the job has changed since it was read */
export async function takeLease({ table, clock }: Jobs, job: JobRecord, leaseMs: number): Promise<Claimed | undefined> {
  const { pk, sk, attempts, cutOff = 0, owner, asked } = job
  const lease = newLease(job, clock.now(), leaseMs)
  // Runs release their lease when they end, so an owner means that a run was cut off.
  const isCutOff = owner !== undefined
  const set = { ...lease, ...runningUntil(lease.leaseEnd), attempts: attempts + 1, ...(isCutOff && { cutOff: cutOff + 1 }) }
  const unchanged = { ...asLeased(job), asked: { equals: asked } }
  return (await held(table.update({ pk, sk }, { set, remove: ['notBefore'] }, unchanged))) ? { ...job, ...set } : undefined
}

/** @returns false if the run has lost the job */
export async function renewLease({ table, clock }: Jobs, { pk, sk, owner }: Claimed, leaseMs: number): Promise<boolean> {
  const leaseEnd = clock.now() + leaseMs
  return held(table.update({ pk, sk }, { set: { leaseEnd, ...runningUntil(leaseEnd) } }, heldBy({ owner })))
}
