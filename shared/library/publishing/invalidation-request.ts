import { randomUUID } from 'node:crypto'
import { type EdgeCache, type Forgotten, MAX_PREFIXES, MAX_TAGS } from '../../backends/edge-cache/port.ts'
import type { Condition } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { asRead, held } from '../conditional.ts'
import type { Writing } from '../library.ts'
import { type Invalidation, keyOfInvalidation } from './invalidation.ts'
import { lastNamingOf, type Naming, namingOf } from './invalidation-paths.ts'

export interface AskingEdges extends Pick<Writing, 'table' | 'clock'> {
  edgeCache: EdgeCache
  log: Log
}

/** Records that are written at a time. */
const PARALLELISM = 16

/** An invalidation, and the tag or the beginning of paths that edges are asked for. */
interface Named {
  invalidation: Invalidation
  name: string
}

/** What goes in requests of its own. */
interface Kind {
  kind: 'tags' | 'prefixes'
  forgotten(names: readonly string[]): Forgotten
  /** How many more may be asked for. @param running for how many edges were asked and are not done */
  room(running: number): number
}

const tags: Kind = { kind: 'tags', forgotten: (names) => ({ tags: names }), room: () => MAX_TAGS }

const prefixes: Kind = { kind: 'prefixes', forgotten: (names) => ({ prefixes: names }), room: (running) => MAX_PREFIXES - running }

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
  const toAsk = byKind(waiting, namingOf([...waiting, ...running]))
  const asked = byKind(running, lastNamingOf)
  const times = [
    await requestDue(library, tags, toAsk.tags, asked.tags),
    await requestDue(library, prefixes, toAsk.prefixes, asked.prefixes),
  ]
  return times.reduce((earliest, time) => (earliest === undefined || (time !== undefined && time < earliest) ? time : earliest))
}

function byKind(invalidations: readonly Invalidation[], namingOf: (invalidation: Invalidation) => Naming): Record<Kind['kind'], Named[]> {
  const found: Record<Kind['kind'], Named[]> = { tags: [], prefixes: [] }
  for (const invalidation of invalidations) {
    const naming = namingOf(invalidation)
    if ('tag' in naming) found.tags.push({ invalidation, name: naming.tag })
    else found.prefixes.push({ invalidation, name: naming.prefix })
  }
  return found
}

/**
 * Asks for as many of a kind as one request takes, not sooner than edges want to be asked. What edges are forgetting now is asked for again
 * when they have: until then more may come that goes with it.
 */
async function requestDue(
  { table, clock, edgeCache, log }: AskingEdges,
  { kind, forgotten, room }: Kind,
  allWaiting: readonly Named[],
  running: readonly Named[],
): Promise<number | undefined> {
  if (allWaiting.length + running.length === 0) return undefined
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
  await forAll(named, async ({ invalidation, name }) => {
    const changes = { set: { request, requested: now, prefix: kind === 'prefixes' ? name : undefined } }
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
export async function forAll<Each>(those: readonly Each[], act: (each: Each) => Promise<void>): Promise<void> {
  const left = those.values()
  const work = async () => {
    for (const each of left) await act(each)
  }
  const failed = (await Promise.allSettled(Array.from({ length: PARALLELISM }, work))).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
