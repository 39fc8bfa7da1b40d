import type { Key } from '../../backends/table/port.ts'
import { held } from '../concurrency/conditional.ts'
import type { Jobs } from './job.ts'
import { asLeased, heldBy, isLeased, type Lease, newLease } from './lease.ts'
import { waitingKey } from './states.ts'

/** The right to be one of the runs of a kind at a time. */
export type Slot = Key & Lease

/** Partition keys of slots begin so. */
export const JOB_SLOTS = 'JOBSLOTS#'

/**
 * Takes one of the places of a kind's runs.
 * @param runs how many there are
 * @param ms how long it is taken if it is neither renewed nor given back
 * @returns undefined where all are taken
 */
export async function takeSlot({ table, clock }: Jobs, kind: string, runs: number, ms: number): Promise<Slot | undefined> {
  const pk = `${JOB_SLOTS}${kind}`
  const { items } = await table.query<Key & Partial<Lease>>({ pk, consistent: true })
  const taken = new Map(items.map((slot) => [slot.sk, slot]))
  for (let n = 0; n < runs; n++) {
    const key = { pk, sk: `SLOT#${n}` }
    const before = taken.get(key.sk) ?? {}
    const now = clock.now()
    if (isLeased(before, now)) continue
    const lease = newLease(before, now, ms)
    if (await held(table.update(key, { set: lease }, asLeased(before)))) return { ...key, ...lease }
  }
  return undefined
}

/** @returns whether the run still had it */
export function renewSlot({ table, clock }: Jobs, { pk, sk, owner }: Slot, ms: number): Promise<boolean> {
  return held(table.update({ pk, sk }, { set: { leaseEnd: clock.now() + ms } }, heldBy({ owner })))
}

export async function giveSlotBack({ table }: Jobs, { pk, sk, owner }: Slot): Promise<void> {
  await held(table.delete({ pk, sk }, heldBy({ owner })))
}

/** Whether a job of a kind waits for a run. The index may lag. */
export async function isAnyWaiting({ table }: Pick<Jobs, 'table'>, kind: string): Promise<boolean> {
  return (await table.query({ index: 'trashDue', pk: waitingKey(kind), limit: 1 })).items.length > 0
}
