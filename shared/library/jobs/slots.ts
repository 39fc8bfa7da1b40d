import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Jobs } from './job.ts'
import { asLeased, heldBy, isLeased, LEASE, type Lease } from './lease.ts'
import { waitingKey } from './states.ts'

/** The turn with which a run began. */
export type Turn = {
  /** The kind of its job. */
  kind: string
  /** For each kind the company that had the last turn. */
  companies: Readonly<Record<string, CompanyId>>
}

/** A slot limits the concurrent runs of a group. The record stays after its release and keeps the last turn. */
export type SlotRecord = Key & Partial<Lease> & Partial<Turn>

/** A slot held by a run. */
export type Slot = SlotRecord & Lease & Turn

/** Prefix of slots' partition keys. */
export const JOB_SLOTS = 'JOBSLOTS#'

/** All slots of a group that were ever used; a consistent read. */
export async function readSlots({ table }: Pick<Jobs, 'table'>, group: string): Promise<SlotRecord[]> {
  return (await table.query<SlotRecord>({ pk: `${JOB_SLOTS}${group}`, consistent: true })).items
}

/**
 * The first free slot. Runs that begin at the same time compete for the same one, so each sees the turns of those before it.
 * @param runs number of slots
 */
export function freeSlot(slots: readonly SlotRecord[], group: string, runs: number, now: number): SlotRecord | undefined {
  const byKey = new Map(slots.map((slot) => [slot.sk, slot]))
  const all = Array.from({ length: runs }, (_, n): SlotRecord => {
    const sk = `SLOT#${n}`
    return byKey.get(sk) ?? { pk: `${JOB_SLOTS}${group}`, sk }
  })
  return all.find((slot) => !isLeased(slot, now))
}

/** Takes a slot, or stores the turn in a slot that the run holds. @returns undefined if another run was faster */
export async function takeSlot({ table }: Jobs, slot: SlotRecord, lease: Lease, turn: Turn): Promise<Slot | undefined> {
  const { pk, sk } = slot
  const set = { ...lease, ...turn }
  return (await held(table.update({ pk, sk }, { set }, asLeased(slot)))) ? { ...slot, ...set } : undefined
}

/** @returns false if the run has lost the slot */
export function renewSlot({ table, clock }: Jobs, { pk, sk, owner }: Slot, ms: number): Promise<boolean> {
  return held(table.update({ pk, sk }, { set: { leaseEnd: clock.now() + ms } }, heldBy({ owner })))
}

export async function giveSlotBack({ table }: Jobs, { pk, sk, owner }: Slot): Promise<void> {
  await held(table.update({ pk, sk }, { remove: LEASE }, heldBy({ owner })))
}

/** Number of waiting jobs of a kind, counted up to `most`. The index may lag. */
export async function countWaiting({ table }: Pick<Jobs, 'table'>, kind: string, most: number): Promise<number> {
  return (await table.query({ index: 'trashDue', pk: waitingKey(kind), limit: most })).items.length
}

/** Whether a job of a kind is waiting. The index may lag. */
export async function isAnyWaiting(jobs: Pick<Jobs, 'table'>, kind: string): Promise<boolean> {
  return (await countWaiting(jobs, kind, 1)) > 0
}
