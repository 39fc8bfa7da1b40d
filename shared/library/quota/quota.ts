import type { Clock } from '../../backends/clock/port.ts'
import { ConditionFailed, type Operations } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { companyKey, findCompany } from '../accounts/companies.ts'
import { held } from '../concurrency/conditional.ts'
import { NotFound, QuotaExceeded } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { type Reservation, reservationKey, reservedIn } from '../usage/reservations.ts'
import { usageOfCompany } from '../usage/usage.ts'
import { heldFilesJob } from './held-files.ts'
import { forgetFilling, noteFilling } from './steps.ts'

/** A company's quota, in bytes. */
export interface QuotaState {
  quotaBytes: number
  /** Reserved by uploads that are no available files yet. */
  reservedBytes: number
}

/** @returns undefined for a company without a quota */
export async function quotaOf(library: Counting, companyId: CompanyId): Promise<QuotaState | undefined> {
  const quotaBytes = (await findCompany(library, companyId))?.quotaBytes
  return quotaBytes === undefined ? undefined : { quotaBytes, reservedBytes: await reservedIn(library, companyId) }
}

interface Counting extends Reading {
  clock: Clock
}

/** Bytes that a company's files and reservations take. */
export async function takenOf(library: Counting, companyId: CompanyId): Promise<number> {
  // Reads reservations first: one that becomes a file meanwhile then counts twice, rather than not at all.
  const reserved = await reservedIn(library, companyId)
  return reserved + (await usageOfCompany(library, companyId)).bytes
}

/** Bytes left in a company's quota; Infinity without a quota. */
export async function roomIn(library: Counting, companyId: CompanyId): Promise<number> {
  const quotaBytes = (await findCompany(library, companyId))?.quotaBytes
  return quotaBytes === undefined ? Infinity : quotaBytes - (await takenOf(library, companyId))
}

/** An upload that needs room in the quota. */
export type UploadInNeed = {
  companyId: CompanyId
  uploadId: string
  bytes: number
  /** When the reservation ends, in UNIX seconds. If absent, it lasts until the file is counted or the upload ends. */
  roomEnds?: number
}

/** How long an unused reservation lasts, in seconds. */
const UNUSED_SECONDS = 3_600

/**
 * Reserves room for an upload, or enlarges a reservation that nothing uses yet. Commits the reservation before it counts the room, so
 * concurrent uploads never exceed the quota; two uploads that compete for the last room may both be refused.
 * @returns the operation that uses the reservation, for the transaction that makes the file or the record of an open upload. Its condition
 *   fails if the reservation is gone. Empty for a company without a quota
 * @throws QuotaExceeded
 */
export async function reserve(library: Writing, { companyId, uploadId, bytes, roomEnds }: UploadInNeed): Promise<Operations> {
  // Bypasses deferred writes: other requests must see the reservation.
  const committed = { ...library, table: library.table.origin ?? library.table }
  const { table, clock } = committed
  const quotaBytes = (await findCompany(committed, companyId))?.quotaBytes
  if (quotaBytes === undefined) return {}
  const key = reservationKey(companyId, uploadId)
  const used = roomEnds === undefined ? { remove: ['ttl'] } : { set: { ttl: roomEnds } }
  const reserved = { reserved: { update: key, changes: used, if: { pk: { exists: true } } } }
  const known = await table.get<Reservation>(key)
  if (known && known.ttl === undefined) return reserved
  const ttl = Math.floor(clock.now() / 1000) + UNUSED_SECONDS
  // If the condition fails, another request for the same upload has reserved the room.
  await held(table.put({ ...key, bytes, ttl } satisfies Reservation, known ? { ttl: { exists: true } } : { pk: { exists: false } }))
  const taken = await takenOf(committed, companyId)
  if (taken > quotaBytes) {
    // If the condition fails, a concurrent request has made the file and uses the reservation.
    await held(known ? table.put(known, { ttl: { exists: true } }) : table.delete(key, { ttl: { exists: true } }))
    throw new QuotaExceeded(quotaBytes)
  }
  await noteFilling(committed, companyId, taken, quotaBytes)
  return reserved
}

/** Checks that a company has room at the moment. Reserves nothing. @throws QuotaExceeded */
export async function requireRoom(library: Counting, companyId: CompanyId, bytes: number): Promise<void> {
  const quotaBytes = (await findCompany(library, companyId))?.quotaBytes
  if (quotaBytes !== undefined && (await takenOf(library, companyId)) + bytes > quotaBytes) throw new QuotaExceeded(quotaBytes)
}

/** Changes the reservation of an open upload by a share link, if it has one. @param to.ttl the new end, in UNIX seconds */
export async function resizeRoom(
  { table }: Pick<Writing, 'table'>,
  { companyId, uploadId }: Pick<UploadInNeed, 'companyId' | 'uploadId'>,
  to: { bytes?: number; ttl: number },
): Promise<void> {
  await held(table.update(reservationKey(companyId, uploadId), { set: to }, { ttl: { exists: true } }))
}

/** Deletes the reservation of an upload. */
export async function giveBack({ table }: Pick<Writing, 'table'>, { companyId, uploadId }: UploadInNeed): Promise<void> {
  await (table.origin ?? table).delete(reservationKey(companyId, uploadId))
}

/**
 * Sets the quota for a company's originals, in bytes; undefined removes it. Existing files stay, even above the quota. Held uploads that
 * fit now are finalized.
 * @throws NotFound
 */
export async function setQuota(library: Writing, companyId: CompanyId, quotaBytes: number | undefined): Promise<void> {
  const { table, by } = library
  const changes = quotaBytes === undefined ? { set: { by }, remove: ['quotaBytes'] } : { set: { quotaBytes, by } }
  try {
    await table.transact({
      company: { update: companyKey(companyId), changes, if: { pk: { exists: true } } },
      held: heldFilesJob.ask(library, { companyId, subject: String(companyId), input: null }),
    })
  } catch (error) {
    if (error instanceof ConditionFailed) throw new NotFound('company')
    throw error
  }
  if (quotaBytes === undefined) await forgetFilling(library, companyId)
  else await noteFilling(library, companyId, await takenOf(library, companyId), quotaBytes)
}
