import { randomUUID } from 'node:crypto'
import { type EdgeCache, type Forgotten, MAX_PREFIXES, MAX_TAGS } from '../../backends/edge-cache/port.ts'
import type { Condition } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { asRead, held } from '../conditional.ts'
import type { Writing } from '../library.ts'
import { cacheTag } from '../links/public-keys.ts'
import { videoObjects } from '../videos/objects.ts'
import { type Invalidation, keyOfInvalidation, type LinkInvalidation, type StreamInvalidation } from './invalidation.ts'

export interface AskingEdges extends Pick<Writing, 'table' | 'clock'> {
  edgeCache: EdgeCache
  log: Log
}

/** Records that are written at a time. */
const PARALLELISM = 16

/** Invalidations of one kind: edges are asked for them together. */
interface Kind<Of extends Invalidation> {
  name: 'links' | 'streams'
  has(invalidation: Invalidation): invalidation is Of
  forgotten(those: readonly Of[]): Forgotten
  /** How many more may be asked for. @param running for how many edges were asked and are not done */
  room(running: number): number
}

const links: Kind<LinkInvalidation> = {
  name: 'links',
  has: (invalidation) => 'linkId' in invalidation,
  forgotten: (those) => ({ tags: those.map(({ linkId }) => cacheTag(linkId)) }),
  room: () => MAX_TAGS,
}

const streams: Kind<StreamInvalidation> = {
  name: 'streams',
  has: (invalidation) => 'encodingId' in invalidation,
  forgotten: (those) => ({ prefixes: those.map(({ encodingId }) => `/${videoObjects.stream(encodingId)}`) }),
  room: (running) => MAX_PREFIXES - running,
}

/**
 * Asks edges for what is due.
 * @param waiting not asked for yet @param running asked for, and not done
 * @returns when to look again, in UNIX milliseconds; undefined when there is nothing
 */
export async function requestAllDue(
  library: AskingEdges,
  waiting: readonly Invalidation[],
  running: readonly Invalidation[],
): Promise<number | undefined> {
  const times = [await requestDue(library, links, waiting, running), await requestDue(library, streams, waiting, running)]
  return times.reduce((earliest, time) => (earliest === undefined || (time !== undefined && time < earliest) ? time : earliest))
}

/** Asks for as many of a kind as one request takes, not sooner than edges want to be asked. */
async function requestDue<Of extends Invalidation>(
  { table, clock, edgeCache, log }: AskingEdges,
  kind: Kind<Of>,
  allWaiting: readonly Invalidation[],
  allRunning: readonly Invalidation[],
): Promise<number | undefined> {
  const [waiting, running] = [allWaiting.filter(kind.has), allRunning.filter(kind.has)]
  if (waiting.length + running.length === 0) return undefined
  const now = clock.now()
  const pause = edgeCache.pauseSeconds * 1000
  const room = kind.room(running.length)
  if (room <= 0) return now + pause
  const last = running.reduce((latest, { requested = 0 }) => Math.max(latest, requested), 0)
  const first = waiting.reduce((earliest, { notBefore }) => Math.min(earliest, notBefore), Number.POSITIVE_INFINITY)
  const earliest = Math.max(first, last + pause)
  if (earliest > now) return running.length > 0 ? Math.min(earliest, now + pause) : earliest
  const due = waiting
    .filter(({ notBefore }) => notBefore <= now)
    .sort((a, b) => a.notBefore - b.notBefore)
    .slice(0, room)
  const request = await edgeCache.invalidate(kind.forgotten(due), randomUUID())
  log.info(`edges were asked to forget ${kind.name}`, { [kind.name]: due.length, request })
  await forAll(due, async (invalidation) => {
    const changes = { set: { request, requested: now } }
    await held(table.update(keyOfInvalidation(invalidation), changes, unchanged(invalidation, undefined)))
  })
  return now + pause
}

/** That it is as it was read: another one may have taken its place. */
export function unchanged(invalidation: Invalidation, request: string | undefined): Condition {
  const revision = 'linkId' in invalidation ? invalidation.revision : undefined
  return { since: { equals: invalidation.since }, revision: asRead(revision), request: asRead(request) }
}

/** Some at a time. @throws the first failure, when all that began have ended */
export async function forAll(those: readonly Invalidation[], act: (invalidation: Invalidation) => Promise<void>): Promise<void> {
  const left = those.values()
  const work = async () => {
    for (const each of left) await act(each)
  }
  const failed = (await Promise.allSettled(Array.from({ length: PARALLELISM }, work))).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
