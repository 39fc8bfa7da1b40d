import { randomUUID } from 'node:crypto'
import type { Condition } from '../../backends/table/port.ts'
import { asRead } from '../concurrency/conditional.ts'

/** The right of one run to a record, until it ends. Clocks may be apart: writes of a run count only while the record names it as the owner. */
export type Lease = {
  /** Names the run. No two leases have the same. */
  owner: string
  /** UNIX milliseconds. */
  leaseEnd: number
  /** Fencing token: greater than that of each earlier lease of the record. */
  token: number
}

/** The run has its job no more: its lease ended and another run has it, or it was cancelled. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Whether a run has the record. @param now UNIX milliseconds */
export const isLeased = ({ leaseEnd }: Partial<Lease>, now: number): boolean => leaseEnd !== undefined && leaseEnd > now

/** A lease after those that the record had. @param now UNIX milliseconds @param ms how long it holds */
export const newLease = ({ token = 0 }: Partial<Lease>, now: number, ms: number): Lease => ({
  owner: randomUUID(),
  leaseEnd: now + ms,
  // Records end with their jobs, so the clock sees to what comes after one of the same name.
  token: Math.max(token + 1, now),
})

/** The condition that nobody took, renewed or gave back a lease since the record was read. */
export const asLeased = ({ owner, leaseEnd }: Partial<Lease>): Condition => ({ owner: asRead(owner), leaseEnd: asRead(leaseEnd) })

/** The condition that the run still has its lease. */
export const heldBy = ({ owner }: Pick<Lease, 'owner'>): Condition => ({ owner: { equals: owner } })

/** The attributes of a lease, for the write that gives it back. The token stays. */
export const LEASE = ['owner', 'leaseEnd']
