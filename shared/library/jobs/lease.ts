import { randomUUID } from 'node:crypto'
import type { Condition } from '../../backends/table/port.ts'
import { asRead } from '../concurrency/conditional.ts'

/**
 * A run's exclusive right to a record for a time. Safe if clocks differ: writes of a run only succeed while the record names it as the
 * owner.
 */
export type Lease = {
  /** Unique id of the lease. */
  owner: string
  /** UNIX milliseconds. */
  leaseEnd: number
  /** Fencing token: greater than those of all earlier leases of the record. */
  token: number
}

/** The run has lost its job: its lease ended and another run has claimed it, or the job was cancelled. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Whether a run holds the record. @param now UNIX milliseconds */
export const isLeased = ({ leaseEnd }: Partial<Lease>, now: number): boolean => leaseEnd !== undefined && leaseEnd > now

/** The next lease of a record. @param now UNIX milliseconds @param ms duration */
export const newLease = ({ token = 0 }: Partial<Lease>, now: number, ms: number): Lease => ({
  owner: randomUUID(),
  leaseEnd: now + ms,
  // A record is deleted with its job, so the clock makes the token grow for a new job with the same id.
  token: Math.max(token + 1, now),
})

/** The condition that no lease was taken, renewed or released since the record was read. */
export const asLeased = ({ owner, leaseEnd }: Partial<Lease>): Condition => ({ owner: asRead(owner), leaseEnd: asRead(leaseEnd) })

/** The condition that the run still holds its lease. */
export const heldBy = ({ owner }: Pick<Lease, 'owner'>): Condition => ({ owner: { equals: owner } })

/** The attributes of a lease, for the write that releases it. The token stays. */
export const LEASE = ['owner', 'leaseEnd']
