import type { Key, TableReader } from '../backends/table/port.ts'
import { everyItem } from './pages.ts'

/** Attributes that place an item in the index of what is to be looked after at a time (`trashDue` in backends/table/indexes.ts). */
export type Due = { dueKey: string; dueAt: string }

/** What is due: trash to be deleted for good, and records whose job should have ended. */
export type DueKind = 'TRASH' | 'JOB'

/** Shards of each kind: one partition of an index takes 1,000 writes a second. */
const SHARDS = 4

/** For a record that is due no more, or never was. */
export const NOT_DUE = { dueKey: undefined, dueAt: undefined } satisfies Partial<Due>

/** @param id of what the record is about; spreads records over the shards. @param ms when, in UNIX milliseconds */
export function due(kind: DueKind, id: number, ms: number): Due {
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

/** @param now UNIX milliseconds */
export const isDue = ({ dueAt }: Partial<Due>, now: number): boolean => dueAt !== undefined && dueAt <= dueTime(now)

/**
 * Acts on all records of a kind that are due now, by their keys. The index lags: whoever acts on one looks whether its record says so still.
 * One that fails, because others keep changing it, doesn't hold up the rest.
 * @param outOfTime asked before each; true stops
 * @throws AggregateError after all others are done
 */
export async function forEachDue(
  table: TableReader,
  { kind, now }: { kind: DueKind; now: number },
  outOfTime: () => boolean,
  act: (key: Key) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const entry of dueEntries(table, kind, now)) {
    if (outOfTime()) break
    await act(entry).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of the records that are due (${kind}) failed`)
}

async function* dueEntries(table: TableReader, kind: DueKind, now: number): AsyncGenerator<Key> {
  for (const pk of dueKeys(kind)) yield* everyItem<Key>(table, { index: 'trashDue', pk, sk: { to: dueTime(now) } })
}
