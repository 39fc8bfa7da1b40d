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

/** Which events are wanted. */
export interface EventFilter {
  types?: readonly EventType[] | undefined
  /** Only what is, or was, directly in one of these folders, and these folders themselves. */
  folderIds?: readonly FolderId[] | undefined
}

/** Which events are asked for. */
export interface FeedQuery extends EventFilter {
  /** The caller's own company by default. */
  companyId?: CompanyId | undefined
  /** `now`, or of an earlier answer. Without one from the event that comes first in this order. */
  cursor?: string | undefined
  /** Oldest first by default. */
  order?: 'oldest' | 'newest' | undefined
  /** Only what one of these users did. */
  userIds?: readonly UserId[] | undefined
  /** Only events of this time, in UNIX milliseconds; both ends are included. */
  from?: number | undefined
  to?: number | undefined
  /** Most events of an answer. */
  limit: number
}

/** Some events of a company, in the order that was asked for. */
export interface FeedPage {
  companyId: CompanyId
  events: StoredEvent[]
  /** Behind all that was looked at. */
  cursor: string
  /** Whether there is more behind the cursor. */
  more: boolean
}

interface FeedReading extends AuthorizedReading {
  clock: Clock
  settings: Pick<Settings, 'eventDays'>
}

/** Events that an answer looks at, at most: whoever may see few of them gets a cursor behind the others. */
const MOST_SEEN = 5_000
/** Fewest that are read at once. */
const LEAST_READ = 100
const MOST_READ = 1_000
const DAY_MS = 86_400_000
/** Several processes number events. By their clocks an event may seem to be that much older than one before it, in milliseconds. */
export const CLOCKS_DIFFER = 60_000

/**
 * Reads a company's feed as the caller may see it now. Nothing ever appears behind a cursor that was given out.
 * @throws NotFound for another company, Invalid for a cursor that is none of its feed, Gone `cursor_expired`
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
  const way = isNewestFirst ? newestFirst(feed, query) : oldestFirst(feed, query)
  let at = await way.start()
  let more = at !== way.end
  const found: StoredEvent[] = []
  for (let seen = 0; more && found.length < query.limit && seen < MOST_SEEN; ) {
    const wanted = query.limit - found.length
    const read = await way.read(at, Math.min(MOST_READ, Math.max(LEAST_READ, wanted)))
    seen += read.length
    const asked = read.filter(isOfType(query)).filter(isOf(query)).filter(isWithin(feed, query))
    const shown = (await visibleEvents(library, companyId, asked)).filter(isInFolders(query)).slice(0, wanted)
    found.push(...shown)
    const isFull = shown.length === wanted
    const reached = (isFull ? shown : read).at(-1)
    at = reached ? way.behind(reached) : way.end
    more = at !== way.end && (isFull || !read.some(way.isPast))
  }
  return pageAt(at, found, more)
}

/** A way through a feed. Places in it are numbers: that of the event before them. */
interface Way {
  start(): Promise<number>
  end: number
  /** Events that follow a place on this way; none where the feed ends. */
  read(at: number, limit: number): Promise<StoredEvent[]>
  /** The place that follows an event. */
  behind(event: StoredEvent): number
  /** Whether neither an event nor what follows can be of the time that is asked for. */
  isPast(event: StoredEvent): boolean
}

const oldestFirst = (feed: Feed, { cursor, from = 0, to = Infinity }: FeedQuery): Way => ({
  start: async () =>
    cursor === undefined
      ? (await oldestKept({ ...feed, oldest: Math.max(feed.oldest, from - CLOCKS_DIFFER) })) - 1
      : await startOf(feed, cursor),
  end: feed.last,
  read: (at, limit) => eventsBehind(feed, at, limit),
  behind: ({ number }) => number,
  isPast: ({ created }) => created > to + CLOCKS_DIFFER,
})

const newestFirst = (feed: Feed, { cursor, from = 0, to }: FeedQuery): Way => ({
  async start() {
    if (cursor !== undefined && cursor !== 'now') return placeOf(feed, cursor)
    return to === undefined ? feed.last : (await oldestKept({ ...feed, oldest: to + CLOCKS_DIFFER })) - 1
  },
  end: 0,
  // Numbers have no gaps before the oldest event that is kept.
  read: async (at, limit) => (await eventsBehind({ ...feed, last: at }, Math.max(0, at - limit), limit)).reverse(),
  behind: ({ number }) => number - 1,
  isPast: ({ created }) => created < Math.max(feed.oldest, from) - CLOCKS_DIFFER,
})

/** The number of the last event of a feed, 0 before the first. What has a number up to this one is committed. */
export async function lastNumber({ table }: { table: TableReader }, companyId: CompanyId): Promise<number> {
  return (await table.get<FeedHead>(feedHeadKey(companyId)))?.last ?? 0
}

export interface Feed {
  table: TableReader
  companyId: CompanyId
  last: number
  /** Events from before this are kept no more, in UNIX milliseconds. */
  oldest: number
}

/** The place that a cursor names. @throws Invalid */
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

/** The number of the oldest event that is kept; the next one where none is. Those that have expired disappear one by one, in any order. */
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

/** Of the next `limit` numbers behind one, up to the last one, the events that are kept. */
export async function eventsBehind(
  { table, companyId, last }: Omit<Feed, 'oldest'>,
  number: number,
  limit: number,
): Promise<StoredEvent[]> {
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
