import { randomUUID } from 'node:crypto'
import { type EdgeCache, EdgeCacheBusy, MAX_TAGS } from '../../backends/edge-cache/port.ts'
import type { Condition } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { asRead, held } from '../conditional.ts'
import { cacheTag } from '../links/public-keys.ts'
import { everyItem } from '../pages.ts'
import { renewing } from '../renewal.ts'
import type { Messages } from '../vocabulary/messages.ts'
import { INVALIDATIONS, type Invalidation, invalidationKey, ofLinks, type StoredInvalidation } from './invalidation.ts'
import { type EndingInvalidations, endInvalidation } from './invalidation-end.ts'
import { beginRun, endRun, goOn, RUN_MS, type Waking, wakeAt } from './invalidation-run.ts'

interface TellingEdges extends EndingInvalidations, Waking {
  edgeCache: EdgeCache
  log: Log
}

/** Most invalidations that one look takes: a few MB. Of more, the others come when these have ended. */
const MOST = 20_000
/** Links whose records are written at a time. */
const PARALLELISM = 16
/** Milliseconds after which edges that had too much to do are asked again. */
const BUSY_MS = 30_000

/**
 * Makes edges forget what links no longer show. They are asked at once, and once more when no older answer can be on its way any more: one that
 * arrives behind the first request is cached again. A request begun that late is the last one. Any number of runs at the same time, each ended
 * anywhere: the next one goes on with what the table says.
 * @param outOfTime asked between steps; true leaves the rest to a later run
 * @throws EdgeCacheUnavailable
 */
export async function tellEdges(library: TellingEdges, message: Messages['invalidations'], outOfTime: () => boolean): Promise<void> {
  const { clock, edgeCache } = library
  const pause = edgeCache.pauseSeconds * 1000
  const runner = await beginRun(library, message, pause)
  if (runner === undefined) return
  let next: number | undefined
  let isWanted = false
  try {
    await using _ = renewing(RUN_MS, () => goOn(library, runner))
    do next = await step(library, outOfTime)
    while (next !== undefined && next <= clock.now() && !outOfTime())
  } finally {
    isWanted = await endRun(library, runner)
  }
  if (isWanted) next = Math.min(next ?? Number.POSITIVE_INFINITY, clock.now() + pause)
  if (next !== undefined) await wakeAt(library, next)
}

/** @returns when there is more to do, in UNIX milliseconds; undefined when nothing is left */
async function step(library: TellingEdges, outOfTime: () => boolean): Promise<number | undefined> {
  const { clock, edgeCache, log } = library
  const pending = await firstPending(library)
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
    return await requestDue(library, waiting, running)
  } catch (error) {
    if (!(error instanceof EdgeCacheBusy)) throw error
    log.warn('edges have too much to do: they are asked again later', { links: pending.length, error })
    return clock.now() + BUSY_MS
  }
}

async function firstPending({ table }: TellingEdges): Promise<Invalidation[]> {
  const found: Invalidation[] = []
  for await (const each of everyItem<StoredInvalidation>(table, { pk: INVALIDATIONS, sk: ofLinks, consistent: true })) {
    if (found.push(each) === MOST) break
  }
  return found
}

/** Edges have forgotten. @returns those of which they may have learned again meanwhile, to be asked for once more */
async function afterRequest(library: TellingEdges, done: readonly Invalidation[]): Promise<Invalidation[]> {
  const inFlight = library.edgeCache.inFlightSeconds * 1000
  const again: Invalidation[] = []
  await forAll(done, async (invalidation) => {
    const { linkId, since, request, requested = 0 } = invalidation
    const notBefore = since + inFlight
    if (requested >= notBefore) return endInvalidation(library, invalidation)
    const changes = { set: { notBefore }, remove: ['request', 'requested'] }
    if (await held(library.table.update(invalidationKey(linkId), changes, unchanged(invalidation, request))))
      again.push({ ...invalidation, notBefore })
  })
  return again
}

/** Asks edges for as many as one request takes, not sooner than they want to be asked. @returns when to look again, in UNIX milliseconds */
async function requestDue(library: TellingEdges, waiting: readonly Invalidation[], running: readonly Invalidation[]): Promise<number> {
  const { table, clock, edgeCache, log } = library
  const now = clock.now()
  // Or others have come.
  if (waiting.length + running.length === 0) return now
  const pause = edgeCache.pauseSeconds * 1000
  const last = running.reduce((latest, { requested = 0 }) => Math.max(latest, requested), 0)
  const first = waiting.reduce((earliest, { notBefore }) => Math.min(earliest, notBefore), Number.POSITIVE_INFINITY)
  const earliest = Math.max(first, last + pause)
  if (earliest > now) return running.length > 0 ? Math.min(earliest, now + pause) : earliest
  const due = waiting
    .filter(({ notBefore }) => notBefore <= now)
    .sort((a, b) => a.notBefore - b.notBefore)
    .slice(0, MAX_TAGS)
  const tags = due.map(({ linkId }) => cacheTag(linkId))
  const request = await edgeCache.invalidate(tags, randomUUID())
  log.info('edges were asked to forget links', { links: tags.length, request })
  await forAll(due, async (invalidation) => {
    const changes = { set: { request, requested: now } }
    await held(table.update(invalidationKey(invalidation.linkId), changes, unchanged(invalidation, undefined)))
  })
  return now + pause
}

/** That it is as it was read: another revision of the link may have taken its place. */
function unchanged({ since, revision }: Invalidation, request: string | undefined): Condition {
  return { since: { equals: since }, revision: { equals: revision }, request: asRead(request) }
}

/** Some at a time. @throws the first failure, when all that began have ended */
async function forAll(those: readonly Invalidation[], act: (invalidation: Invalidation) => Promise<void>): Promise<void> {
  const left = those.values()
  const work = async () => {
    for (const each of left) await act(each)
  }
  const failed = (await Promise.allSettled(Array.from({ length: PARALLELISM }, work))).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
