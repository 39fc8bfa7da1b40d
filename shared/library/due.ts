import type { Clock } from '../backends/clock/port.ts'
import type { Key, TableReader } from '../backends/table/port.ts'
import { everyItem } from './pages.ts'

/** Attributes by which the index of due items finds an item, from a time on (`trashDue` in backends/table/indexes.ts). */
export type Due = { dueKey: string; dueAt: string }

/** The due records: trash to be deleted for good, zips, uploads in parts that nobody goes on with, and share links that have ended. */
export type DueKind = 'TRASH' | 'ZIP' | 'UPLOAD' | 'SHARE'

/** Shards of each kind: one partition of an index takes 1,000 writes a second. */
const SHARDS = 4

/** For a record that is due no more, or never was. */
export const NOT_DUE = { dueKey: undefined, dueAt: undefined } satisfies Partial<Due>

/** The attributes of what is due, to be removed of a record that is due no more. */
export const DUE_ATTRIBUTES = ['dueKey', 'dueAt'] as const satisfies (keyof Due)[]

/** @param id of what the record is about; spreads records over the shards. @param ms when, in UNIX milliseconds */
function due(kind: DueKind, id: number, ms: number): Due {
  return { dueKey: `${kind}#${id % SHARDS}`, dueAt: dueTime(ms) }
}

/** Index partitions that together hold all of a kind. */
export function dueKeys(kind: DueKind): string[] {
  return Array.from({ length: SHARDS }, (_, shard) => `${kind}#${shard}`)
}

/** Sorts like time. @param ms UNIX milliseconds */
export function dueTime(ms: number): string {
  return new Date(ms).toISOString()
}

const DAY_MS = 86_400_000

/** Days after which what lies in a trashcan is deleted for good. */
export const TRASH_DAYS = 30

/** When a record that is put into a trashcan now is to be deleted. @param now UNIX milliseconds */
export const trashDue = (id: number, now: number): Due => due('TRASH', id, now + TRASH_DAYS * DAY_MS)

/** When a record that is due in a trashcan was put there, in UNIX milliseconds. */
export const trashedAt = ({ dueAt }: Pick<Due, 'dueAt'>): number => Date.parse(dueAt) - TRASH_DAYS * DAY_MS

const HOUR_MS = 3_600_000

/**
 * When a zip is to be removed: an hour after it can be downloaded no more, so that downloads that have begun come to their end.
 * @param ended UNIX milliseconds
 */
export const zipDue = (id: number, ended: number): Due => due('ZIP', id, ended + HOUR_MS)

/** When an upload in parts is to be given up. @param ms UNIX milliseconds */
export const uploadDue = (uploadId: string, ms: number): Due => due('UPLOAD', uploadId.charCodeAt(0), ms)

/** Days for which a share link that has ended can be opened again. */
export const SHARE_DAYS = 30

/** When a share link is to be removed. @param expires when it ends, in UNIX milliseconds */
export const shareDue = (shareId: string, expires: number): Due => due('SHARE', shareId.charCodeAt(0), expires + SHARE_DAYS * DAY_MS)

/** @param now UNIX milliseconds */
export const isDue = ({ dueAt }: Partial<Due>, now: number): boolean => dueAt !== undefined && dueAt <= dueTime(now)

/**
 * Acts on all records of a kind that are due now, by their keys. The index lags: `act` checks that the record is still due.
 * One that fails, because others keep changing it, doesn't hold up the rest.
 * @param outOfTime asked before each; true stops
 * @throws AggregateError after all others are done
 */
export async function forEachDue(
  { table, clock }: { table: TableReader; clock: Clock },
  kind: DueKind,
  outOfTime: () => boolean,
  act: (key: Key) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  parts: for (const pk of dueKeys(kind)) {
    for await (const entry of everyItem<Key>(table, { index: 'trashDue', pk, sk: { to: dueTime(clock.now()) } })) {
      if (outOfTime()) break parts
      await act(entry).catch((error) => failures.push(error))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of the records that are due (${kind}) failed`)
}
