import type { FolderRecord } from '../folders/folder.ts'

/** Days after which what lies in a trashcan is deleted for good (decision 20). */
export const TRASH_DAYS = 30
/** Shards of the index of trash: one partition of an index takes 1,000 writes a second. */
const SHARDS = 4

/** Attributes that place an entry of a trashcan, folder or pointer, in the index `trashDue` (schema.ts). */
export type Due = { dueKey: string; dueAt: string }

/** For a record that is due no more, or never was. */
export const NOT_DUE = { dueKey: undefined, dueAt: undefined } satisfies Partial<Due>

/**
 * When an entry is to be deleted that is put into a folder now: only those of a trashcan are.
 * @param holder undefined for the root
 * @param id of the entry: media or folder id
 * @param now UNIX milliseconds
 */
export function dueIn(holder: Pick<FolderRecord, 'system'> | undefined, id: number, now: number): Partial<Due> {
  if (holder?.system !== 'trash') return NOT_DUE
  return { dueKey: `TRASH#${id % SHARDS}`, dueAt: dueTime(now + TRASH_DAYS * 86_400_000) }
}

/** Index partitions that together hold all trash. */
export function dueKeys(): string[] {
  return Array.from({ length: SHARDS }, (_, shard) => `TRASH#${shard}`)
}

/** Sorts like time. @param ms UNIX milliseconds */
export function dueTime(ms: number): string {
  return new Date(ms).toISOString()
}
