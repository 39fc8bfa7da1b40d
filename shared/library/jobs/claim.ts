import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Due } from '../due.ts'
import type { Claimed, JobRecord, Jobs } from './job.ts'
import { asLeased, heldBy, isLeased, newLease } from './lease.ts'
import { behind, companyIn, runningUntil, waitingKey } from './states.ts'

/** Jobs of a company that are looked at before the next company has its turn: other runs may have taken some of them. */
const AT_A_TIME = 10

/**
 * Gives a run the next job of a kind. Companies take turns, however much each has waiting; those of one company come in the order in which they
 * began to wait.
 * @param after the company whose turn was the last
 * @param leaseMs how long the run has the job if it doesn't renew its lease
 * @param full companies that have all the runs that they may have
 * @returns undefined where none waits
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

/** Gives a run the first of these jobs that no other run has taken. */
export async function claimOne(jobs: Jobs, entries: readonly Key[], leaseMs: number): Promise<Claimed | undefined> {
  for (const entry of entries) {
    const job = await claim(jobs, entry, leaseMs)
    if (job) return job
  }
  return undefined
}

/** The first jobs of a company that wait. */
export interface CompanyWaiting {
  companyId: CompanyId
  entries: Key[]
}

/** The most runs of one company, of so many, where it has at most half of them. */
export const halfOf = (runs: number): number => Math.max(1, Math.floor(runs / 2))

/** Those companies that have so many runs. @param running the company of each run */
export function companiesWith(most: number, running: Iterable<CompanyId>): ReadonlySet<CompanyId> {
  const runs = Map.groupBy(running, (companyId) => companyId)
  return new Set([...runs].filter(([, each]) => each.length >= most).map(([companyId]) => companyId))
}

/** The first jobs of each company that has any and isn't `full`: of those behind one, then of those up to it. */
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
      const { items } = await table.query<Key & Due>({ index: 'trashDue', pk: waitingKey(kind), ...sk, limit: AT_A_TIME })
      if (items.length === 0) break
      const companyId = companyIn(items[0]!)
      if (end !== undefined && companyId > end) break
      if (!full.has(companyId)) yield { companyId, entries: items.filter((entry) => companyIn(entry) === companyId) }
      last = companyId
    }
  }
}

/** @returns undefined where another run was faster, or the index lags */
async function claim({ table, clock }: Jobs, { pk, sk }: Key, leaseMs: number): Promise<Claimed | undefined> {
  const job = await table.get<JobRecord>({ pk, sk })
  if (job?.dueKey !== waitingKey(job?.kind ?? '')) return undefined
  if (isLeased(job, clock.now())) {
    // It was asked for while it runs: the end of the run sees to that.
    const unchanged = { ...asLeased(job), asked: { equals: job.asked } }
    await held(table.update({ pk, sk }, { set: runningUntil(job.leaseEnd!) }, unchanged))
    return undefined
  }
  return takeLease({ table, clock }, job, leaseMs)
}

/** Gives a run a job that no other run has. @returns undefined where the job changed since it was read */
export async function takeLease({ table, clock }: Jobs, job: JobRecord, leaseMs: number): Promise<Claimed | undefined> {
  const { pk, sk, attempts, cutOff = 0, owner, asked } = job
  const lease = newLease(job, clock.now(), leaseMs)
  // A run that ends gives its lease back.
  const isCutOff = owner !== undefined
  const set = { ...lease, ...runningUntil(lease.leaseEnd), attempts: attempts + 1, ...(isCutOff && { cutOff: cutOff + 1 }) }
  const unchanged = { ...asLeased(job), asked: { equals: asked } }
  return (await held(table.update({ pk, sk }, { set, remove: ['notBefore'] }, unchanged))) ? { ...job, ...set } : undefined
}

/** @returns whether the run still had the job */
export async function renewLease({ table, clock }: Jobs, { pk, sk, owner }: Claimed, leaseMs: number): Promise<boolean> {
  const leaseEnd = clock.now() + leaseMs
  return held(table.update({ pk, sk }, { set: { leaseEnd, ...runningUntil(leaseEnd) } }, heldBy({ owner })))
}
