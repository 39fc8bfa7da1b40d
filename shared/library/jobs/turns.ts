import type { CompanyId } from '../../vocabulary/ids.ts'
import { type CompanyWaiting, claimOne, companiesInTurn, companiesWith } from './claim.ts'
import type { Claimed, Jobs } from './job.ts'
import { isLeased, newLease } from './lease.ts'
import { countWaiting, freeSlot, giveSlotBack, readSlots, type Slot, type SlotRecord, takeSlot } from './slots.ts'

/** The kinds of jobs that one function runs. */
export interface Runs {
  /** Names the function. */
  group: string
  /** The kinds, with their limits of concurrent runs. */
  kinds: ReadonlyMap<string, number>
  /** Limit of concurrent runs of all kinds together. */
  runs: number
  /** Limit of concurrent runs for one company; none if absent. */
  perCompany?: number
}

/** A started run. */
export interface Begun {
  slot: Slot
  /** Absent if other runs claimed all jobs meanwhile. */
  job: Claimed | undefined
  /** Whether another job waits and has a free slot. */
  isMore: boolean
}

/**
 * Takes a slot and claims the next job, round-robin over kinds, and over the companies of each kind. Slots store the last turn, so it
 * doesn't matter which run was woken by whom, and in which order.
 * @param ms duration of both leases
 * @returns undefined if all slots are taken, or no waiting job may run
 */
export async function beginRun(jobs: Jobs, runs: Runs, ms: number): Promise<Begun | undefined> {
  for (;;) {
    const look = await lookAround(jobs, runs)
    if (!look || look.waiting.size === 0) return undefined
    const begun = await beginOne(jobs, runs, look, ms)
    // Another run has taken the slot meanwhile, and maybe the turn.
    if (begun !== 'overtaken') return begun
  }
}

/** Whether another run could start a waiting job now. */
export async function isTurnFree(jobs: Jobs, runs: Runs): Promise<boolean> {
  return ((await lookAround(jobs, runs))?.waiting.size ?? 0) > 0
}

/** The state that a run finds before it begins. */
interface Look {
  slots: readonly SlotRecord[]
  free: SlotRecord
  /** How many more runs may begin, this one included. */
  room: number
  /** For each kind with waiting jobs: how many of them may begin, counted up to two. */
  waiting: ReadonlyMap<string, number>
  /** Companies at their limit of runs. */
  full: ReadonlySet<CompanyId>
}

/** @returns undefined if all slots are taken */
async function lookAround(jobs: Jobs, { group, kinds, runs, perCompany = runs }: Runs): Promise<Look | undefined> {
  const slots = await readSlots(jobs, group)
  const now = jobs.clock.now()
  const free = freeSlot(slots, group, runs, now)
  if (!free) return undefined
  const full = companiesWith(perCompany, companiesOf(slots, now))
  const counted = [...kinds].map(async ([kind, most]) => {
    const room = most - runningOf(slots, kind, now)
    return [kind, room > 0 ? await countFor(jobs, kind, Math.min(room, 2), full) : 0] as const
  })
  const waiting = (await Promise.all(counted)).filter(([, count]) => count > 0)
  return { slots, free, room: runs - slots.filter((slot) => isLeased(slot, now)).length, waiting: new Map(waiting), full }
}

/** Counts waiting jobs up to a number, except those of companies at their limit. */
async function countFor(jobs: Jobs, kind: string, most: number, full: ReadonlySet<CompanyId>): Promise<number> {
  if (full.size === 0) return countWaiting(jobs, kind, most)
  let count = 0
  for await (const { entries } of companiesInTurn(jobs, kind, undefined, full)) {
    count += entries.length
    if (count >= most) return most
  }
  return count
}

const runningOf = (slots: readonly SlotRecord[], kind: string, now: number): number =>
  slots.filter((slot) => slot.kind === kind && isLeased(slot, now)).length

/** The company of each run. */
const companiesOf = (slots: readonly SlotRecord[], now: number): CompanyId[] =>
  slots.flatMap(({ kind = '', companies, ...lease }) => (isLeased(lease, now) ? (companies?.[kind] ?? []) : []))

async function beginOne(jobs: Jobs, runs: Runs, { slots, free, room, waiting, full }: Look, ms: number): Promise<Begun | 'overtaken'> {
  const last = slots.toSorted((a, b) => (b.token ?? 0) - (a.token ?? 0))[0]
  // A token greater than all known ones: turns are ordered by token, independent of clocks.
  const lease = newLease(last ?? {}, jobs.clock.now(), ms)
  const isMore = room > 1 && waiting.values().reduce((sum, count) => sum + count, 0) > 1
  let slot: Slot | undefined
  for await (const { kind, companyId, entries } of inTurn(jobs, [...waiting.keys()], last, full)) {
    const former = slot
    slot = await takeSlot(jobs, former ?? free, lease, { kind, companies: { ...last?.companies, [kind]: companyId } })
    if (!slot) return 'overtaken'
    if (await isTooMany(jobs, runs, kind, companyId)) {
      await giveSlotBack(jobs, slot)
      return 'overtaken'
    }
    const job = await claimOne(jobs, entries, ms)
    if (job) return { slot, job, isMore }
  }
  return slot ? { slot, job: undefined, isMore: false } : 'overtaken'
}

/**
 * Whether runs that began at the same time exceed the limit of a kind or company. Each run that sees this releases its slot and tries
 * again; the last one finds the others gone.
 */
async function isTooMany(
  jobs: Jobs,
  { group, kinds, runs, perCompany = runs }: Runs,
  kind: string,
  companyId: CompanyId,
): Promise<boolean> {
  const most = kinds.get(kind) ?? runs
  if (most >= runs && perCompany >= runs) return false
  const slots = await readSlots(jobs, group)
  const now = jobs.clock.now()
  return runningOf(slots, kind, now) > most || companiesWith(perCompany + 1, companiesOf(slots, now)).has(companyId)
}

/** The waiting companies, kind by kind. Kinds begin after the one with the last turn, the companies of each kind after its last one. */
async function* inTurn(
  jobs: Jobs,
  kinds: readonly string[],
  last: SlotRecord | undefined,
  full: ReadonlySet<CompanyId>,
): AsyncGenerator<CompanyWaiting & { kind: string }> {
  const ordered = kinds.toSorted()
  const behind = ordered.findIndex((kind) => kind > (last?.kind ?? ''))
  const inOrder = behind < 0 ? ordered : [...ordered.slice(behind), ...ordered.slice(0, behind)]
  for (const kind of inOrder) {
    const after: CompanyId | undefined = last?.companies?.[kind]
    for await (const waiting of companiesInTurn(jobs, kind, after, full)) yield { kind, ...waiting }
  }
}
