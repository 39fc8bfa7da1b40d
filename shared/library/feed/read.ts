import type { Clock } from '../../backends/clock/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import type { Settings } from '../../settings.ts'
import type { CompanyId, FolderId, UserId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { requireMember } from '../access/people.ts'
import { Gone, NotFound } from '../errors.ts'
import { visibleEvents } from './audience.ts'
import { cursorAt, numberIn, unknownCursor } from './cursor.ts'
import { type EventData, type EventType, eventKey, type FeedHead, feedHeadKey, type StoredEvent } from './event.ts'

/** A filter of events. */
export interface EventFilter {
  types?: readonly EventType[] | undefined
  /** Only events of these folders, and of their direct contents, present or former. */
  folderIds?: readonly FolderId[] | undefined
}

/** A query of a company's feed. */
export interface FeedQuery extends EventFilter {
  /** The caller's own company by default. */
  companyId?: CompanyId | undefined
  /** `now`, or the cursor of an earlier page. By default the first event in this order. */
  cursor?: string | undefined
  /** Oldest first by default. */
  order?: 'oldest' | 'newest' | undefined
  /** Only events with one of these actors. */
  userIds?: readonly UserId[] | undefined
  /** Only events of this period, in UNIX milliseconds, both ends included. */
  from?: number | undefined
  to?: number | undefined
  /** Most events of a page. */
  limit: number
}

/** A page of a company's events, in the requested order. */
export interface FeedPage {
  companyId: CompanyId
  events: StoredEvent[]
  /** Position after everything that was read. */
  cursor: string
  /** Whether more follows the cursor. */
  more: boolean
}

interface FeedReading extends AuthorizedReading {
  clock: Clock
  settings: Pick<Settings, 'eventDays'>
}

/** Most events read per page. A caller who may see few of them gets a cursor after the others. */
const MOST_SEEN = 5_000
/** Events per query, at least. */
const LEAST_READ = 100
const MOST_READ = 1_000
const DAY_MS = 86_400_000
/**
 * Largest difference between the clocks of processes that number events, in milliseconds. An event may seem that much older than its
 * predecessor.
 */
export const CLOCKS_DIFFER = 60_000

/**
 * Reads a company's feed with the caller's current rights. No event ever appears before a cursor that was returned.
 * @throws NotFound for another company, Invalid for a malformed cursor, Gone `cursor_expired`
 */
export async function readFeed(library: FeedReading, query: FeedQuery): Promise<FeedPage> {
  const { table, access, clock, settings } = library
  const companyId = query.companyId ?? access.companyIds[0]
  if (companyId === undefined) throw new NotFound('company')
  requireMember({ access }, companyId)
  const last = await lastNumber({ table }, companyId)
  const pageAt = (number: number, events: StoredEvent[], more: boolean): FeedPage => ({
    ...{ companyId, events, cursor: cursorAt(companyId, number), more },
  })
  const isNewestFirst = query.order === 'newest'
  if (query.cursor === 'now' && !isNewestFirst) return pageAt(last, [], false)
  const feed = { table, companyId, last, oldest: clock.now() - settings.eventDays * DAY_MS }
  const reading = isNewestFirst ? newestFirst(feed, query) : oldestFirst(feed, query)
  let at = await reading.start()
  let more = at !== reading.end
  const found: StoredEvent[] = []
  for (let seen = 0; more && found.length < query.limit && seen < MOST_SEEN; ) {
    const wanted = query.limit - found.length
    const read = await reading.read(at, Math.min(MOST_READ, Math.max(LEAST_READ, wanted)))
    seen += read.length
    const asked = read.filter(isOfType(query)).filter(isOf(query)).filter(isWithin(feed, query))
    const shown = (await visibleEvents(library, companyId, asked)).filter(isInFolders(query)).slice(0, wanted)
    found.push(...shown)
    const isFull = shown.length === wanted
    const reached = (isFull ? shown : read).at(-1)
    at = reached ? reading.after(reached) : reading.end
    more = at !== reading.end && (isFull || !read.some(reading.isPast))
  }
  return pageAt(at, found, more)
}

/** An order of reading. A position is the number of the event before it, in ascending order. */
interface ReadingOrder {
  start(): Promise<number>
  end: number
  /** The events after a position in this order; none at the end of the feed. */
  read(at: number, limit: number): Promise<StoredEvent[]>
  /** The position after an event. */
  after(event: StoredEvent): number
  /** Whether this event and all later ones in this order are outside the requested period. */
  isPast(event: StoredEvent): boolean
}

const oldestFirst = (feed: Feed, { cursor, from = 0, to = Infinity }: FeedQuery): ReadingOrder => ({
  start: async () =>
    cursor === undefined
      ? (await oldestKept({ ...feed, oldest: Math.max(feed.oldest, from - CLOCKS_DIFFER) })) - 1
      : await startOf(feed, cursor),
  end: feed.last,
  read: (at, limit) => eventsAfter(feed, at, limit),
  after: ({ number }) => number,
  isPast: ({ created }) => created > to + CLOCKS_DIFFER,
})

const newestFirst = (feed: Feed, { cursor, from = 0, to }: FeedQuery): ReadingOrder => ({
  async start() {
    if (cursor !== undefined && cursor !== 'now') return placeOf(feed, cursor)
    return to === undefined ? feed.last : (await oldestKept({ ...feed, oldest: to + CLOCKS_DIFFER })) - 1
  },
  end: 0,
  // Numbers have no gaps from the oldest kept event on.
  read: async (at, limit) => (await eventsAfter({ ...feed, last: at }, Math.max(0, at - limit), limit)).reverse(),
  after: ({ number }) => number - 1,
  isPast: ({ created }) => created < Math.max(feed.oldest, from) - CLOCKS_DIFFER,
})

/** The number of the last event of a feed; 0 before the first. All events up to it are committed. */
export async function lastNumber({ table }: { table: TableReader }, companyId: CompanyId): Promise<number> {
  return (await table.get<FeedHead>(feedHeadKey(companyId)))?.last ?? 0
}

export interface Feed {
  table: TableReader
  companyId: CompanyId
  last: number
  /** Events from before this time have expired, in UNIX milliseconds. */
  oldest: number
}

/** The position of a cursor. @throws Invalid */
function placeOf({ companyId, last }: Feed, cursor: string): number {
  const number = numberIn(cursor, companyId)
  if (number > last) throw unknownCursor()
  return number
}

/** @throws Invalid, Gone */
async function startOf(feed: Feed, cursor: string): Promise<number> {
  const number = placeOf(feed, cursor)
  if (number < feed.last && !(await isKept(feed, number + 1))) {
    throw new Gone('cursor_expired', 'The events behind this cursor are kept no more. Begin without a cursor.')
  }
  return number
}

async function isKept({ table, companyId, oldest }: Feed, number: number): Promise<boolean> {
  const event = await table.get<StoredEvent>(eventKey(companyId, number))
  return event !== undefined && event.created >= oldest
}

/** The number of the oldest kept event; the next number where none is kept. Expired events disappear one by one, in any order. */
export async function oldestKept(feed: Feed): Promise<number> {
  let [from, to] = [1, feed.last + 1]
  if (from < to && (await isKept(feed, from))) return from
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (await isKept(feed, middle)) to = middle
    else from = middle + 1
  }
  return to
}

/** The kept events among the next `limit` numbers after one, up to the last. */
export async function eventsAfter({ table, companyId, last }: Omit<Feed, 'oldest'>, number: number, limit: number): Promise<StoredEvent[]> {
  const [from, to] = [eventKey(companyId, number + 1), eventKey(companyId, Math.min(last, number + limit))]
  const events: StoredEvent[] = []
  let cursor: string | undefined
  do {
    const page = await table.query<StoredEvent>({ pk: from.pk, sk: { from: from.sk, to: to.sk }, limit, consistent: true, cursor })
    events.push(...page.items)
    cursor = page.cursor
  } while (cursor && events.length < limit)
  return events
}

export function isOfType({ types }: EventFilter): (event: StoredEvent) => boolean {
  const wanted = types && new Set(types)
  return ({ type }) => wanted === undefined || wanted.has(type)
}

export function isInFolders({ folderIds }: EventFilter): (event: StoredEvent) => boolean {
  const wanted = folderIds && new Set(folderIds)
  return ({ data }) => wanted === undefined || placesIn(data).some((folderId) => wanted.has(folderId))
}

function isOf({ userIds }: FeedQuery): (event: StoredEvent) => boolean {
  const wanted = userIds && new Set(userIds)
  return ({ actor }) => wanted === undefined || (actor.userId !== undefined && wanted.has(actor.userId))
}

const isWithin =
  ({ oldest }: Feed, { from = 0, to = Infinity }: FeedQuery) =>
  ({ created }: StoredEvent): boolean =>
    created >= Math.max(oldest, from) && created <= to

const placesIn = ({ folderIds = [], folderId, parent }: EventData): FolderId[] => [folderId, parent, ...folderIds].flatMap((id) => id ?? [])
