import type { Key, Operations } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { listActiveAdmins, mailAddressOf } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { askForMails } from '../mail/job.ts'
import { heldIn } from './held-files.ts'

/** Fill levels, in percent, that are reported to the company's feed and admins. */
const STEPS = [80, 95, 100]
/** A step is reported again only after the fill level was this many percentage points below it. */
const HYSTERESIS = 5
/** Most admins to mail: a transaction has 100 operations. */
const MOST_MAILED = 90

/** The fill level of a company's quota as last reported. */
export type QuotaRecord = Key & {
  companyId: CompanyId
  /** The step: 0, 80, 95 or 100. */
  percent: number
  /** Bytes taken at that time, held uploads included. */
  bytes: number
  quotaBytes: number
  by: Actor
}

export const quotaKey = (companyId: CompanyId): Key => ({ pk: `COMPANY#${companyId}`, sk: 'QUOTA' })

/**
 * Reports to a company's feed and admins, once, that its quota has reached a step. Held uploads count as taken.
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
  // If the condition fails, another request reports it.
  await held(table.transact({ quota: { put: record, if: { percent: asRead(noted?.percent) } }, ...mails }))
}

/** Forgets the reported fill level of a company whose quota is removed. */
export async function forgetFilling({ table }: Writing, companyId: CompanyId): Promise<void> {
  await table.delete(quotaKey(companyId))
}

async function mailsOf(library: Writing, companyId: CompanyId, percent: number): Promise<Operations> {
  const admins = (await listActiveAdmins(library, companyId)).filter((user) => mailAddressOf(user) !== undefined)
  return askForMails(library, companyId, admins.slice(0, MOST_MAILED), (userId) => ({ quota: companyId, percent, userId }))
}
