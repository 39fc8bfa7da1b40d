import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import type { Reading } from '../library.ts'
import { onOneLine } from '../names.ts'
import { everyItem } from '../pages.ts'

/** An e-mail that did not arrive (`bounce`, `reject`: the mail service itself refused it), or that its recipient called spam (`complaint`). */
export type MailFailure = {
  /** The id of the report, so that one that comes twice is recorded once. */
  id: string
  kind: 'bounce' | 'complaint' | 'reject'
  /** When it was reported, in UNIX milliseconds. */
  time: number
  recipient: string
  subject: string
  /** The mail service's id of the e-mail. */
  messageId: string
  /** Why, in the words of the mail servers. */
  diagnostic: string
}

/** One item for each failure: the failures of a month are together, in order of time. */
type FailureRecord = Key & MailFailure & { ttl: number }

/** Seconds for which a failure is kept: 90 days. */
const KEPT_SECONDS = 90 * 86_400
/** Most characters of a text: all but the subject come from mail servers of strangers. */
const MOST = { recipient: 320, subject: 200, messageId: 200, diagnostic: 500 }

const monthKey = (month: string) => `MAILEVENTS#${month}`

/** May be repeated. */
export async function recordMailFailure({ table }: { table: Table }, failure: MailFailure): Promise<void> {
  const { id, kind, time } = failure
  const at = new Date(time).toISOString()
  const texts = {
    recipient: cut(failure.recipient, MOST.recipient),
    subject: cut(failure.subject, MOST.subject),
    messageId: cut(failure.messageId, MOST.messageId),
    diagnostic: cut(failure.diagnostic, MOST.diagnostic),
  }
  const ttl = Math.floor(time / 1000) + KEPT_SECONDS
  const record: FailureRecord = { pk: monthKey(at.slice(0, 7)), sk: `${at}#${id}`, id, kind, time, ...texts, ttl }
  await table.put(record)
}

/**
 * The last failures, newest first, of at most 90 days.
 * @param which.since UNIX milliseconds
 */
export async function listMailFailures(
  { table, clock }: Reading & { clock: Clock },
  { since, limit }: { since: number; limit: number },
): Promise<MailFailure[]> {
  const from = new Date(Math.max(since, clock.now() - KEPT_SECONDS * 1000)).toISOString()
  const found: MailFailure[] = []
  for (const month of monthsBack(clock.now(), from.slice(0, 7))) {
    const pages = everyItem<FailureRecord>(table, { pk: monthKey(month), sk: { from }, descending: true, limit })
    for await (const { pk, sk, ttl, ...failure } of pages) {
      if (found.length === limit) return found
      found.push(failure)
    }
  }
  return found
}

/** `yyyy-mm` of the UTC months from this one back to another. @param now UNIX milliseconds */
function* monthsBack(now: number, last: string): Generator<string> {
  const day = new Date(now)
  for (day.setUTCDate(1); day.toISOString().slice(0, 7) >= last; day.setUTCMonth(day.getUTCMonth() - 1)) yield day.toISOString().slice(0, 7)
}

function cut(text: string, most: number): string {
  // Cut first: cleaning up is for what is kept.
  return onOneLine(text.slice(0, most))
}
