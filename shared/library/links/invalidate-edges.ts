import { randomUUID } from 'node:crypto'
import { type EdgeCache, EdgeCacheBusy, type Forgotten, MAX_PREFIXES, MAX_TAGS } from '../../backends/edge-cache/port.ts'
import type { Objects } from '../../backends/objects/port.ts'
import type { Condition, Key, Operation } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { inParallel } from '../../parallel.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { getLink, type LinkRecord, linkKey } from '../media/link.ts'
import { everyItem, everyObject } from '../pages.ts'
import {
  INVALIDATIONS,
  type Invalidation,
  invalidationKey,
  keyOfInvalidation,
  type LinkInvalidation,
  lastNamingOf,
  type Naming,
  namingOf,
  ofLinks,
  ofNames,
  ofStreams,
} from './invalidation.ts'
import { isShownBefore, publicKeys } from './public-keys.ts'

interface InvalidatingEdges extends Pick<Writing, 'table' | 'clock'> {
  publicFiles: Pick<Objects, 'list' | 'delete'>
  edgeCache: EdgeCache
  log: Log
}

/** Most invalidations of a kind per step: a few MB. */
const MOST = 20_000
/** Records that are written at a time. */
const PARALLELISM = 16
/** Pause in ms after the edge cache was busy. */
const BUSY_MS = 30_000

/**
 * Invalidates changed links, removed streams and what has a name at the edges. Each is requested at once, and again when no older answer can be in flight: an answer
 * that arrives after the first request is cached again. Idempotent; safe to run concurrently and to crash. A run sleeps through short waits, because
 * a deployed job that is due later starts up to a minute late.
 * @param outOfTime asked between steps; true leaves the rest to a later run
 * @throws EdgeCacheUnavailable
 */
export async function invalidateEdges(library: InvalidatingEdges, outOfTime: () => boolean): Promise<Again | undefined> {
  const { clock, edgeCache } = library
  for (;;) {
    const next = await step(library, outOfTime)
    if (next === undefined) return undefined
    const wait = Math.max(next - clock.now(), 0)
    if (wait > edgeCache.pauseSeconds * 1000) return { inSeconds: Math.ceil(wait / 1000) }
    if (outOfTime()) return {}
    if (wait > 0) await clock.sleep(wait)
  }
}

/** @returns when there is more to do, in UNIX milliseconds; undefined when nothing is left */
async function step(library: InvalidatingEdges, outOfTime: () => boolean): Promise<number | undefined> {
  const { clock, edgeCache, log } = library
  const pending = (await Promise.all([ofLinks, ofStreams, ofNames].map((kind) => firstPending(library, kind)))).flat()
  if (pending.length === 0) return undefined
  try {
    const requests = Map.groupBy(pending, ({ request }) => request)
    const waiting = requests.get(undefined) ?? []
    const running: Invalidation[] = []
    for (const [request, those] of requests) {
      if (outOfTime()) return clock.now()
      if (request === undefined) continue
      if (await edgeCache.isDone(request)) waiting.push(...(await afterRequest(library, those)))
      else running.push(...those)
    }
    // New ones may have come.
    if (waiting.length + running.length === 0) return clock.now()
    return await requestAllDue(library, waiting, running)
  } catch (error) {
    if (!(error instanceof EdgeCacheBusy)) throw error
    log.warn('edges have too much to do: they are asked again later', { pending: pending.length, error })
    return clock.now() + BUSY_MS
  }
}

async function firstPending({ table }: InvalidatingEdges, sk: typeof ofLinks): Promise<Invalidation[]> {
  const found: Invalidation[] = []
  for await (const each of everyItem<Key & Invalidation>(table, { pk: INVALIDATIONS, sk, consistent: true })) {
    if (found.push(each) === MOST) break
  }
  return found
}

/** Handles completed requests. @returns invalidations that need a second request */
async function afterRequest(library: InvalidatingEdges, done: readonly Invalidation[]): Promise<Invalidation[]> {
  const { table, edgeCache } = library
  const again: Invalidation[] = []
  await inParallel(done, PARALLELISM, async (invalidation) => {
    const { since, request, requested = 0 } = invalidation
    const notBefore = since + edgeCache.inFlightSeconds * 1000
    if (requested >= notBefore) return end(library, invalidation)
    const changes = { set: { notBefore }, remove: ['request', 'requested'] }
    if (await held(table.update(keyOfInvalidation(invalidation), changes, unchanged(invalidation, request))))
      again.push({ ...invalidation, notBefore })
  })
  return again
}

/** An invalidation with the tag or path prefix of its request. */
interface Named {
  invalidation: Invalidation
  name: string
}

/** Tags and prefixes go in separate requests. */
interface Kind {
  kind: 'tags' | 'prefixes'
  forgotten(names: readonly string[]): Forgotten
  /** How many more fit into a request. @param running names in running requests */
  room(running: number): number
}

const tags: Kind = { kind: 'tags', forgotten: (names) => ({ tags: names }), room: () => MAX_TAGS }

const prefixes: Kind = { kind: 'prefixes', forgotten: (names) => ({ prefixes: names }), room: (running) => MAX_PREFIXES - running }

/**
 * Requests the invalidations that are due.
 * @param waiting not requested yet @param running requested, and not done
 * @returns when the next step is due, in UNIX milliseconds
 */
async function requestAllDue(
  library: InvalidatingEdges,
  waiting: readonly Invalidation[],
  running: readonly Invalidation[],
): Promise<number> {
  const toAsk = byKind(waiting, namingOf([...waiting, ...running]))
  const asked = byKind(running, lastNamingOf)
  const times: number[] = []
  for (const kind of [tags, prefixes]) times.push(await requestDue(library, kind, toAsk[kind.kind], asked[kind.kind]))
  return Math.min(...times)
}

function byKind(invalidations: readonly Invalidation[], naming: (invalidation: Invalidation) => Naming): Record<Kind['kind'], Named[]> {
  const found: Record<Kind['kind'], Named[]> = { tags: [], prefixes: [] }
  for (const invalidation of invalidations) {
    const named = naming(invalidation)
    if ('tag' in named) found.tags.push({ invalidation, name: named.tag })
    else found.prefixes.push({ invalidation, name: named.prefix })
  }
  return found
}

/**
 * Sends one request of a kind, no sooner than the edge cache allows. A name in a running request waits for its end, so that later invalidations
 * share the next one.
 * @returns when the next request is due; infinity where none is pending
 */
async function requestDue(
  { table, clock, edgeCache, log }: InvalidatingEdges,
  { kind, forgotten, room }: Kind,
  allWaiting: readonly Named[],
  running: readonly Named[],
): Promise<number> {
  if (allWaiting.length + running.length === 0) return Number.POSITIVE_INFINITY
  const now = clock.now()
  const pause = edgeCache.pauseSeconds * 1000
  const asked = new Set(running.map(({ name }) => name))
  const most = room(asked.size)
  if (most <= 0) return now + pause
  const waiting = allWaiting.filter(({ name }) => !asked.has(name)).sort((a, b) => a.invalidation.notBefore - b.invalidation.notBefore)
  const last = running.reduce((latest, { invalidation: { requested = 0 } }) => Math.max(latest, requested), 0)
  const first = waiting[0]?.invalidation.notBefore ?? Number.POSITIVE_INFINITY
  const earliest = Math.max(first, last + pause)
  if (earliest > now) return running.length > 0 ? Math.min(earliest, now + pause) : earliest
  const due = waiting.filter(({ invalidation }) => invalidation.notBefore <= now)
  const names = new Set([...new Set(due.map(({ name }) => name))].slice(0, most))
  const request = await edgeCache.invalidate(forgotten([...names]), randomUUID())
  const named = due.filter(({ name }) => names.has(name))
  log.info(`edges were asked to forget ${kind}`, { [kind]: names.size, invalidations: named.length, request })
  await inParallel(named, PARALLELISM, async ({ invalidation, name }) => {
    const changes = { set: { request, requested: now, prefix: kind === 'prefixes' ? name : undefined } }
    await held(table.update(keyOfInvalidation(invalidation), changes, unchanged(invalidation, undefined)))
  })
  return now + pause
}

/** Holds while the record is as it was read. */
function unchanged(invalidation: Invalidation, request: string | undefined): Condition {
  const { revision, file } = 'linkId' in invalidation ? invalidation : {}
  return { since: { equals: invalidation.since }, revision: asRead(revision), file: asRead(file), request: asRead(request) }
}

/** Ends an invalidation that is done. Idempotent. */
async function end(library: InvalidatingEdges, invalidation: Invalidation): Promise<void> {
  if ('linkId' in invalidation) return endOfLink(library, invalidation)
  await held(library.table.delete(keyOfInvalidation(invalidation), { since: { equals: invalidation.since } }))
}

/**
 * Records that edges serve what a link shows now, and removes former sources. Deletes the record of an ended link. A link that changed meanwhile, or
 * shows another file by now, has another invalidation, which does the rest.
 */
async function endOfLink(library: InvalidatingEdges, invalidation: LinkInvalidation): Promise<void> {
  const { table } = library
  const { linkId, revision, file, since } = invalidation
  const link = await getLink(library, linkId)
  if (link?.published) await removeFormerSources(library, invalidation)
  const gone = { delete: invalidationKey(linkId), if: { revision: { equals: revision }, file: asRead(file), since: { equals: since } } }
  const isLast = link?.stale === revision && (file === undefined || file === link.file)
  await held(table.transact({ invalidation: gone, ...(isLast && { link: endOfStale(library, link) }) }))
}

/** The write for a link whose edges are up to date. Fails where the link has changed. */
function endOfStale({ clock }: InvalidatingEdges, { linkId, mediaId, revision, published, stale, file }: LinkRecord): Operation {
  const unchanged = { revision: { equals: revision }, stale: asRead(stale), file: asRead(file) }
  if (stale === revision && mediaId === null) return { delete: linkKey(linkId), if: unchanged }
  const isActive = published?.revision === revision
  return { update: linkKey(linkId), changes: { ...(isActive && { set: { changed: clock.now() } }), remove: ['stale'] }, if: unchanged }
}

/** Removes the sources of what was shown before. No renderer uses them any more. */
async function removeFormerSources({ publicFiles }: InvalidatingEdges, { linkId, ...shown }: LinkInvalidation): Promise<void> {
  const former: string[] = []
  const prefix = publicKeys.sources(linkId)
  for await (const { key } of everyObject(publicFiles, prefix)) {
    const [name = ''] = key.slice(prefix.length).split('/')
    if (isShownBefore(name, shown)) former.push(key)
  }
  if (former.length > 0) await publicFiles.delete(former)
}
