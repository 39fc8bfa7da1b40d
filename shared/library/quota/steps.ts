import type { Key, Operations } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { listActiveAdmins, mailAddressOf } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { askForMails } from '../mail/job.ts'
import { heldIn } from './held-files.ts'

/** Shares of a quota, in percent, of which a company's feed and its admins hear. */
const STEPS = [80, 95, 100]
/** They hear of a step again once the quota was filled so many points less. */
const HYSTERESIS = 5
/** Most admins of a company that get mail: a transaction has 100 operations. */
const MOST_MAILED = 90

/** How far the quota of a company is filled, as its feed and its admins heard last. */
export type QuotaRecord = Key & {
  companyId: CompanyId
  /** The step: 0, 80, 95 or 100. */
  percent: number
  /** Bytes that were taken then, held files included. */
  bytes: number
  quotaBytes: number
  by: Actor
}

export const quotaKey = (companyId: CompanyId): Key => ({ pk: `COMPANY#${companyId}`, sk: 'QUOTA' })

/**
 * Tells the feed and the admins of a company once when a quota reaches a step. Files that wait for room count: they fill it.
 * @param taken bytes of files and reservations
 */
export async function noteFilling(library: Writing, companyId: CompanyId, taken: number, quotaBytes: number): Promise<void> {
  const { table, by } = library
  const waiting = (await heldIn(library, companyId)).reduce((sum, { bytes }) => sum + bytes, 0)
  const bytes = taken + waiting
  const filled = bytes >= quotaBytes ? 100 : (bytes / quotaBytes) * 100
  const noted = await table.get<QuotaRecord>(quotaKey(companyId))
  const before = noted?.percent ?? 0
  const percent = STEPS.findLast((step) => filled >= step || (step <= before && filled > step - HYSTERESIS)) ?? 0
  if (percent === before) return
  const record: QuotaRecord = { ...quotaKey(companyId), companyId, percent, bytes, quotaBytes, by }
  const mails = percent > before ? await mailsOf(library, companyId, percent) : {}
  // If the condition fails another request tells it.
  await held(table.transact({ quota: { put: record, if: { percent: asRead(noted?.percent) } }, ...mails }))
}

/** For a company whose quota is taken away. */
export async function forgetFilling({ table }: Writing, companyId: CompanyId): Promise<void> {
  await table.delete(quotaKey(companyId))
}

async function mailsOf(library: Writing, companyId: CompanyId, percent: number): Promise<Operations> {
  const admins = (await listActiveAdmins(library, companyId)).filter((user) => mailAddressOf(user) !== undefined)
  return askForMails(library, companyId, admins.slice(0, MOST_MAILED), (userId) => ({ quota: companyId, percent, userId }))
}
