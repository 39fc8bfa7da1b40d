import { randomBytes } from 'node:crypto'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { Reading, Writing } from '../library.ts'
import type { Replacement } from './files.ts'
import { mediaKey, REPLACEMENTS } from './keys.ts'

/** Digits of a time in UNIX milliseconds, so that ids sort by time until the year 5138. */
const TIME_DIGITS = 14

/** An id of a replacement that is finalized now. It sorts after those that wait for their import, also where the clock went back. */
export async function newReplacementId({ table, clock }: Reading & Pick<Writing, 'clock'>, mediaId: MediaId): Promise<string> {
  const waiting = { pk: mediaKey(mediaId).pk, sk: { beginsWith: REPLACEMENTS }, descending: true, limit: 1, consistent: true }
  const { items } = await table.query<Replacement & { pk: string; sk: string }>(waiting)
  const after = items[0] ? Number(items[0].id.slice(0, TIME_DIGITS)) + 1 : 0
  return `${String(Math.max(clock.now(), after)).padStart(TIME_DIGITS, '0')}-${randomBytes(8).toString('hex')}`
}
