import { EdgeCacheBusy } from '../../backends/edge-cache/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { Messages } from '../../vocabulary/messages.ts'
import { held } from '../conditional.ts'
import { everyItem } from '../pages.ts'
import { renewing } from '../renewal.ts'
import { INVALIDATIONS, type Invalidation, keyOfInvalidation, ofLinks, ofStreams } from './invalidation.ts'
import { type EndingInvalidations, endLinkInvalidation, endStreamInvalidation } from './invalidation-end.ts'
import { type AskingEdges, forAll, requestAllDue, unchanged } from './invalidation-request.ts'
import { beginRun, endRun, goOn, RUN_MS, type Waking, wakeAt } from './invalidation-run.ts'

interface TellingEdges extends EndingInvalidations, Waking, AskingEdges {}

/** Most invalidations of a kind that one look takes: a few MB. Of more, the others come when these have ended. */
const MOST = 20_000
/** Milliseconds after which edges that had too much to do are asked again. */
const BUSY_MS = 30_000

/**
 * Makes edges forget what links no longer show, and streams that are removed. They are asked at once, and once more when no older answer can
 * be on its way any more: one that arrives behind the first request is cached again. A request begun that late is the last one. Any number of
 * runs at the same time, each ended anywhere: the next one goes on with what the table says.
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
  const pending = [...(await firstPending(library, ofLinks)), ...(await firstPending(library, ofStreams))]
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
    // Or others have come.
    if (waiting.length + running.length === 0) return clock.now()
    return await requestAllDue(library, waiting, running)
  } catch (error) {
    if (!(error instanceof EdgeCacheBusy)) throw error
    log.warn('edges have too much to do: they are asked again later', { pending: pending.length, error })
    return clock.now() + BUSY_MS
  }
}

async function firstPending({ table }: TellingEdges, sk: typeof ofLinks): Promise<Invalidation[]> {
  const found: Invalidation[] = []
  for await (const each of everyItem<Key & Invalidation>(table, { pk: INVALIDATIONS, sk, consistent: true })) {
    if (found.push(each) === MOST) break
  }
  return found
}

/** Edges have forgotten. @returns those of which they may have learned again meanwhile, to be asked for once more */
async function afterRequest(library: TellingEdges, done: readonly Invalidation[]): Promise<Invalidation[]> {
  const inFlight = library.edgeCache.inFlightSeconds * 1000
  const again: Invalidation[] = []
  await forAll(done, async (invalidation) => {
    const { since, request, requested = 0 } = invalidation
    const notBefore = since + inFlight
    if (requested >= notBefore) return end(library, invalidation)
    const changes = { set: { notBefore }, remove: ['request', 'requested'] }
    if (await held(library.table.update(keyOfInvalidation(invalidation), changes, unchanged(invalidation, request))))
      again.push({ ...invalidation, notBefore })
  })
  return again
}

function end(library: TellingEdges, invalidation: Invalidation): Promise<void> {
  return 'linkId' in invalidation ? endLinkInvalidation(library, invalidation) : endStreamInvalidation(library, invalidation)
}
