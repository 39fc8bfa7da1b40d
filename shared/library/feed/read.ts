import type { Clock } from '../../backends/clock/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import type { Settings } from '../../settings.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { requireMember } from '../access/people.ts'
import { Gone, NotFound } from '../errors.ts'
import { visibleEvents } from './audience.ts'
import { cursorAt, numberIn, unknownCursor } from './cursor.ts'
import { type EventData, type EventType, eventKey, type FeedHead, feedHeadKey, type StoredEvent } from './event.ts'

/** Which events are asked for. */
export interface FeedQuery {
  /** The caller's own company by default. */
  companyId?: CompanyId | undefined
  /** `now`, or of an earlier answer. Without one from the oldest event that is kept. */
  cursor?: string | undefined
  types?: readonly EventType[] | undefined
  /** Only what is, or was, directly in one of these folders, and these folders themselves. */
  folderIds?: readonly FolderId[] | undefined
  /** Most events of an answer. */
  limit: number
}

/** Some events of a company, oldest first. */
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

/**
 * Reads a company's feed as the caller may see it now. Nothing ever appears behind a cursor that was given out.
 * @throws NotFound for another company, Invalid for a cursor that is none of its feed, Gone `cursor_expired`
 */
export async function readFeed(library: FeedReading, query: FeedQuery): Promise<FeedPage> {
  const { table, access, clock, settings } = library
  const companyId = query.companyId ?? access.companyIds[0]
  if (companyId === undefined) throw new NotFound('company')
  requireMember({ access }, companyId)
  // What has a number up to this one is committed.
  const last = (await table.get<FeedHead>(feedHeadKey(companyId)))?.last ?? 0
  const pageAt = (number: number, events: StoredEvent[]): FeedPage => ({
    ...{ companyId, events, cursor: cursorAt(companyId, number), more: number < last },
  })
  if (query.cursor === 'now') return pageAt(last, [])
  const feed = { table, companyId, last, oldest: clock.now() - settings.eventDays * DAY_MS }
  let at = query.cursor === undefined ? (await oldestKept(feed)) - 1 : await startOf(feed, query.cursor)
  const found: StoredEvent[] = []
  for (let seen = 0; at < last && found.length < query.limit && seen < MOST_SEEN; ) {
    const wanted = query.limit - found.length
    const read = await eventsBehind(feed, at, Math.min(MOST_READ, Math.max(LEAST_READ, wanted)))
    seen += read.length
    const shown = (await visibleEvents(library, companyId, read.filter(isOfType(query)))).filter(isInFolders(query)).slice(0, wanted)
    found.push(...shown)
    at = (shown.length === wanted ? shown : read).at(-1)?.number ?? last
  }
  return pageAt(at, found)
}

interface Feed {
  table: TableReader
  companyId: CompanyId
  last: number
  /** Events from before this are kept no more, in UNIX milliseconds. */
  oldest: number
}

/** @throws Invalid, Gone */
async function startOf(feed: Feed, cursor: string): Promise<number> {
  const number = numberIn(cursor, feed.companyId)
  if (number > feed.last) throw unknownCursor()
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
async function oldestKept(feed: Feed): Promise<number> {
  let [from, to] = [1, feed.last + 1]
  if (from < to && (await isKept(feed, from))) return from
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (await isKept(feed, middle)) to = middle
    else from = middle + 1
  }
  return to
}

/** The next events behind one, up to the last one. */
async function eventsBehind({ table, companyId, last }: Feed, number: number, limit: number): Promise<StoredEvent[]> {
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

function isOfType({ types }: FeedQuery): (event: StoredEvent) => boolean {
  const wanted = types && new Set(types)
  return ({ type }) => wanted === undefined || wanted.has(type)
}

function isInFolders({ folderIds }: FeedQuery): (event: StoredEvent) => boolean {
  const wanted = folderIds && new Set(folderIds)
  return ({ data }) => wanted === undefined || placesIn(data).some((folderId) => wanted.has(folderId))
}

const placesIn = ({ folderIds = [], folderId, parent }: EventData): FolderId[] => [folderId, parent, ...folderIds].flatMap((id) => id ?? [])
