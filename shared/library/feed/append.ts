import type { Clock } from '../../backends/clock/port.ts'
import type { Item, Key, Operations, Table } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import type { Settings } from '../../settings.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { findCompany } from '../accounts/companies.ts'
import { asRead } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { DomainEvent } from '../events/domain-events.ts'
import { entryOf } from './entry.ts'
import { eventKey, type FeedEntry, type FeedHead, feedHeadKey, type StoredEvent } from './event.ts'
import { eventsByFeed } from './feed-events.ts'
import { Places } from './places.ts'

/** Dependencies of `appendEvents`. */
export interface Appending {
  table: Table
  clock: Clock
  log: Log
  settings: Pick<Settings, 'eventDays'>
}

/** Events per transaction: each takes two of its 100 operations. */
const AT_ONCE = 49
const DAY_SECONDS = 86_400
/** Lifetime of a mark. Changes may be redelivered for a day, and dead letters for three weeks (infra/aws/stack/failed-runs.ts). */
const REPEATED_SECONDS = 30 * DAY_SECONDS

/** Key of the mark that an event is in the feed. */
const markKey = (id: string): Key => ({ pk: `TOLD#${id}`, sk: 'TOLD' })

/**
 * Appends events to their company's feed, in order. One transaction writes events, marks and the last number. So a redelivered event is
 * stored once, numbers have no gaps, and later commits get later numbers.
 * @param events each with an id that stays the same on redelivery
 * @returns events that could not be appended, with all later ones of the same company
 */
export async function appendEvents<Event extends DomainEvent & { readonly id: string }>(
  library: Appending,
  events: readonly Event[],
): Promise<Event[]> {
  const unrecorded: Event[] = []
  for (const [companyId, ofCompany] of eventsByFeed(events)) {
    let done = 0
    try {
      const places = await Places.of(library.table, companyId, ofCompany)
      for (; done < ofCompany.length; done += AT_ONCE) {
        const some = ofCompany.slice(done, done + AT_ONCE).flatMap((event) => {
          const entry = entryOf(event, places)
          return entry ? [{ id: event.id, entry }] : []
        })
        await appendOnce(library, companyId, some)
      }
    } catch (error) {
      library.log.error('events could not be added to the feed', { companyId, error })
      unrecorded.push(...ofCompany.slice(done))
    }
  }
  return unrecorded
}

/** @throws Conflict when others keep winning */
async function appendOnce(
  { table, clock, settings }: Appending,
  companyId: CompanyId,
  events: readonly { id: string; entry: FeedEntry }[],
): Promise<void> {
  if (events.length === 0) return
  const headKey = feedHeadKey(companyId)
  await retryOnConflict(async () => {
    const [head, marks] = await Promise.all([table.get<FeedHead>(headKey), table.getMany<Key>(events.map(({ id }) => markKey(id)))])
    const marked = new Set(marks.map(({ pk }) => pk))
    // A batch may contain an event twice: dead letters are delivered at least once.
    const fresh = [...new Map(events.map((event) => [event.id, event])).values()].filter(({ id }) => !marked.has(markKey(id).pk))
    if (fresh.length === 0) return
    const created = clock.now()
    const seconds = Math.floor(created / 1000)
    // A company that is being removed gets no events.
    if (!head && (await isGone(table, companyId))) return
    const before = head?.last ?? 0
    const operations = fresh.map(({ id, entry }, n): Operations => {
      const number = before + n + 1
      const ttl = seconds + settings.eventDays * DAY_SECONDS
      const event: StoredEvent & Item = { ...eventKey(companyId, number), number, created, ...entry, ttl }
      return {
        [`event ${number}`]: { put: event },
        [`mark ${id}`]: { put: { ...markKey(id), ttl: seconds + REPEATED_SECONDS }, if: { pk: { exists: false } } },
      }
    })
    await table.transact({
      head: { put: { ...headKey, last: before + fresh.length } satisfies FeedHead, if: { last: asRead(head?.last) } },
      ...Object.assign({}, ...operations),
    })
  })
}

async function isGone(table: Table, companyId: CompanyId): Promise<boolean> {
  const company = await findCompany({ table }, companyId)
  return !company || company.removing !== undefined
}
