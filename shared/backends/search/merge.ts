import { setImmediate } from 'node:timers/promises'
import type { IndexFile } from './index-file.ts'

/*
 * FTS5 stores changes in pieces beside those that it has. With one piece it reads a word's files faster than with a few, twice as fast for a common
 * word, because it merges no lists and looks for no removed files.
 */

/** Pages of 4 KiB that a merge writes in one slice. */
const MERGE_PAGES = 200

/** With a 200th of all pages in other pieces than the largest, merging all again is worth it. */
const WORN = 200

/** Whether changes have left so much in other pieces than the largest that a merge is worth it. */
export function isWorn(index: IndexFile): boolean {
  const pieces = 'SELECT count(*) AS pages FROM terms_idx GROUP BY segid'
  return index.value(`SELECT ${WORN} * (sum(pages) - max(pages)) > sum(pages) FROM (${pieces})`) === 1
}

/** Merges each full-text table into one piece, in slices, and gives back to the disk what that leaves free. */
export async function mergePieces(index: IndexFile, signal: AbortSignal): Promise<void> {
  await merge(index, 'texts', signal)
  await merge(index, 'terms', signal)
  await shrink(index, signal)
}

/** Merges a full-text table into one segment, in slices. (In FTS5 a negative number begins a merge, positive ones continue it.) */
async function merge(index: IndexFile, table: 'texts' | 'terms', signal: AbortSignal): Promise<void> {
  const changes = () => index.value('SELECT total_changes()')
  for (let pages = -MERGE_PAGES, idle = false; !idle; pages = MERGE_PAGES) {
    const before = changes()
    index.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages)
    idle = changes() - before < 2
    await setImmediate(undefined, { signal })
  }
}

/** Gives the pages back to the disk that merges left free, in slices: a sixth of the file. */
async function shrink(index: IndexFile, signal: AbortSignal): Promise<void> {
  while (index.value('PRAGMA freelist_count') > 0) {
    index.rows(`PRAGMA incremental_vacuum(${MERGE_PAGES})`)
    await setImmediate(undefined, { signal })
  }
}
