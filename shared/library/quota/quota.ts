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

/** The quota of a company, and the part of it that uploads have reserved, in bytes. */
export interface QuotaState {
  quotaBytes: number
  /** Bytes of uploads that are no available files yet. */
  reservedBytes: number
}

/** @returns undefined where nothing limits the company */
export async function quotaOf(library: Counting, companyId: CompanyId): Promise<QuotaState | undefined> {
  const quotaBytes = (await findCompany(library, companyId))?.quotaBytes
  return quotaBytes === undefined ? undefined : { quotaBytes, reservedBytes: await reservedIn(library, companyId) }
}

interface Counting extends Reading {
  clock: Clock
}

/** Bytes of a company's quota that files and reservations take. */
export async function takenOf(library: Counting, companyId: CompanyId): Promise<number> {
  // Reservations first: one that ends meanwhile counts as a file, too, rather than not at all.
  const reserved = await reservedIn(library, companyId)
  return reserved + (await usageOfCompany(library, companyId)).bytes
}

/** Bytes that a company may still take; Infinity where nothing limits it. */
export async function roomIn(library: Counting, companyId: CompanyId): Promise<number> {
  const quotaBytes = (await findCompany(library, companyId))?.quotaBytes
  return quotaBytes === undefined ? Infinity : quotaBytes - (await takenOf(library, companyId))
}

/** An upload that is to get room, and how much. */
export type UploadInNeed = {
  companyId: CompanyId
  uploadId: string
  bytes: number
  /** When the room ends, in UNIX seconds. Absent where it lasts until the file is counted or the upload ends. */
  roomEnds?: number
}

/** Seconds for which a reservation lasts that nothing uses. */
const UNUSED_SECONDS = 3_600

/**
 * Reserves room for an upload that has none, or more of it. Reservations are committed before room is counted, so uploads at the same time never take more than
 * there is; of two that need the last room both may be refused.
 * @returns the write that uses the room, which goes along with the one that makes the file, or the record of an open upload; its condition fails when
 *   the room was withdrawn. Nothing where the company has no quota
 * @throws QuotaExceeded
 */
export async function reserve(library: Writing, { companyId, uploadId, bytes, roomEnds }: UploadInNeed): Promise<Operations> {
  // At once, also in a request whose writes are deferred: others must see it.
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
  // If the condition fails another request for the same upload has reserved it.
  await held(table.put({ ...key, bytes, ttl } satisfies Reservation, known ? { ttl: { exists: true } } : { pk: { exists: false } }))
  const taken = await takenOf(committed, companyId)
  if (taken > quotaBytes) {
    // A request beside this one may have made the file: then the room is that file's.
    await held(known ? table.put(known, { ttl: { exists: true } }) : table.delete(key, { ttl: { exists: true } }))
    throw new QuotaExceeded(quotaBytes)
  }
  await noteFilling(committed, companyId, taken, quotaBytes)
  return reserved
}

/** Refuses what a company has no room for at the moment. Reserves nothing. @throws QuotaExceeded */
export async function requireRoom(library: Counting, companyId: CompanyId, bytes: number): Promise<void> {
  const quotaBytes = (await findCompany(library, companyId))?.quotaBytes
  if (quotaBytes !== undefined && (await takenOf(library, companyId)) + bytes > quotaBytes) throw new QuotaExceeded(quotaBytes)
}

/** Changes what an open upload by a share link has reserved, where it has reserved something. @param to with the new end, in UNIX seconds */
export async function resizeRoom(
  { table }: Pick<Writing, 'table'>,
  { companyId, uploadId }: Pick<UploadInNeed, 'companyId' | 'uploadId'>,
  to: { bytes?: number; ttl: number },
): Promise<void> {
  await held(table.update(reservationKey(companyId, uploadId), { set: to }, { ttl: { exists: true } }))
}

/** Gives room back that nothing uses. */
export async function giveBack({ table }: Pick<Writing, 'table'>, { companyId, uploadId }: UploadInNeed): Promise<void> {
  await (table.origin ?? table).delete(reservationKey(companyId, uploadId))
}

/**
 * Sets what the originals of a company may take, in bytes; undefined takes the limit away. Files that are there stay, also above it. Held files
 * that fit now are finalized.
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
