import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Jobs } from './job.ts'
import { asLeased, heldBy, isLeased, LEASE, type Lease } from './lease.ts'
import { waitingKey } from './states.ts'

/** Whose turn it was when a run began. */
export type Turn = {
  /** The kind of its job. */
  kind: string
  /** The company that had the last turn of each kind. */
  companies: Readonly<Record<string, CompanyId>>
}

/** The right to be one of the runs of a group at a time. The record stays when it is given back, and says whose turn the last one was. */
export type SlotRecord = Key & Partial<Lease> & Partial<Turn>

/** A slot that a run has. */
export type Slot = SlotRecord & Lease & Turn

/** Partition keys of slots begin so. */
export const JOB_SLOTS = 'JOBSLOTS#'

/** The slots of a group that runs have or had, as they are now. */
export async function readSlots({ table }: Pick<Jobs, 'table'>, group: string): Promise<SlotRecord[]> {
  return (await table.query<SlotRecord>({ pk: `${JOB_SLOTS}${group}`, consistent: true })).items
}

/**
 * The first slot that no run has. Runs that begin at the same time want the same one, so each knows of those before it.
 * @param runs how many there are
 */
export function freeSlot(slots: readonly SlotRecord[], group: string, runs: number, now: number): SlotRecord | undefined {
  const byKey = new Map(slots.map((slot) => [slot.sk, slot]))
  const all = Array.from({ length: runs }, (_, n): SlotRecord => {
    const sk = `SLOT#${n}`
    return byKey.get(sk) ?? { pk: `${JOB_SLOTS}${group}`, sk }
  })
  return all.find((slot) => !isLeased(slot, now))
}

/** Takes a slot, or notes the turn of one that the run has. @returns undefined where another run was faster */
export async function takeSlot({ table }: Jobs, slot: SlotRecord, lease: Lease, turn: Turn): Promise<Slot | undefined> {
  const { pk, sk } = slot
  const set = { ...lease, ...turn }
  return (await held(table.update({ pk, sk }, { set }, asLeased(slot)))) ? { ...slot, ...set } : undefined
}

/** @returns whether the run still had it */
export function renewSlot({ table, clock }: Jobs, { pk, sk, owner }: Slot, ms: number): Promise<boolean> {
  return held(table.update({ pk, sk }, { set: { leaseEnd: clock.now() + ms } }, heldBy({ owner })))
}

export async function giveSlotBack({ table }: Jobs, { pk, sk, owner }: Slot): Promise<void> {
  await held(table.update({ pk, sk }, { remove: LEASE }, heldBy({ owner })))
}

/** How many jobs of a kind wait for a run, counted up to a number. The index may lag. */
export async function countWaiting({ table }: Pick<Jobs, 'table'>, kind: string, most: number): Promise<number> {
  return (await table.query({ index: 'trashDue', pk: waitingKey(kind), limit: most })).items.length
}

/** Whether a job of a kind waits for a run. The index may lag. */
export async function isAnyWaiting(jobs: Pick<Jobs, 'table'>, kind: string): Promise<boolean> {
  return (await countWaiting(jobs, kind, 1)) > 0
}
