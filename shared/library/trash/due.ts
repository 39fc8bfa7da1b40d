/** Days after which what lies in a trashcan is deleted for good (decision 20). */
export const TRASH_DAYS = 30
/** Shards of the index of trash: one partition of an index takes 1,000 writes a second. */
const SHARDS = 4

/** Attributes that place an entry of a trashcan, folder or pointer, in the index `trashDue` (schema.ts). */
export type Due = { dueKey: string; dueAt: string }

/** When an entry that is put into a trashcan now is to be deleted. @param now UNIX milliseconds */
export function dueOf(id: number, now: number): Due {
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
