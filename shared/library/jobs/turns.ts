import type { CompanyId } from '../../vocabulary/ids.ts'
import { type CompanyWaiting, claimOne, companiesInTurn, companiesWith } from './claim.ts'
import type { Claimed, Jobs } from './job.ts'
import { isLeased, newLease } from './lease.ts'
import { countWaiting, freeSlot, giveSlotBack, readSlots, type Slot, type SlotRecord, takeSlot } from './slots.ts'

/** The kinds of jobs that one function does. */
export interface Runs {
  /** Names the function. */
  group: string
  /** The kinds, and how many runs of each there may be at a time. */
  kinds: ReadonlyMap<string, number>
  /** How many runs of all kinds there may be at a time. */
  runs: number
  /** How many of them one company may have; all where absent. */
  perCompany?: number
}

/** What a run does. */
export interface Begun {
  slot: Slot
  /** Absent where other runs took all jobs meanwhile. */
  job: Claimed | undefined
  /** Whether one more waits, and a slot is free for it. */
  isMore: boolean
}

/**
 * Gives a run a slot and the next job. Kinds take turns, and the companies of each kind, however much each has waiting. Slots keep whose turn it was,
 * so it makes no difference who woke which run, and in which order.
 * @param ms how long the run has both if it doesn't renew them
 * @returns undefined where all slots are taken, or no job waits that may run
 */
export async function beginRun(jobs: Jobs, runs: Runs, ms: number): Promise<Begun | undefined> {
  for (;;) {
    const look = await lookAround(jobs, runs)
    if (!look || look.waiting.size === 0) return undefined
    const begun = await beginOne(jobs, runs, look, ms)
    // Another run has taken the slot since the look, and maybe the turn.
    if (begun !== 'overtaken') return begun
  }
}

/** Whether a job waits that a further run may take at once. */
export async function isTurnFree(jobs: Jobs, runs: Runs): Promise<boolean> {
  return ((await lookAround(jobs, runs))?.waiting.size ?? 0) > 0
}

/** What a run finds before it begins. */
interface Look {
  slots: readonly SlotRecord[]
  free: SlotRecord
  /** How many more runs may begin, the one that looks included. */
  room: number
  /** Of the kinds of which jobs wait: how many, up to two, of them may begin. */
  waiting: ReadonlyMap<string, number>
  /** Companies that have all the runs that they may have. */
  full: ReadonlySet<CompanyId>
}

/** @returns undefined where all slots are taken */
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

/** Counts jobs that wait, up to a number, besides those of companies that may have no more runs. */
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
  // Later than all others that it knows of: the order of turns is that of the tokens, wherever clocks are.
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
 * Whether runs that began at the same time are more than a kind or a company may have. Each that sees it gives its slot back and looks again: the last
 * one to do so finds the others gone.
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

/** The companies that wait, kind by kind: those kinds first that come behind the last one, of each those companies that come behind its last one. */
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
