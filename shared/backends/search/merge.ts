import { setImmediate } from 'node:timers/promises'
import type { IndexFile } from './index-file.ts'

/*
 * FTS5 stores changes in further pieces. From a single piece it reads a common word's files twice as fast, because it merges no lists and skips no
 * removed files.
 */

/** Pages of 4 KiB that a merge writes in one slice. */
const MERGE_PAGES = 200

/** Merging pays when a 200th of all pages are outside of the largest piece. */
const WORN = 200

/** Whether enough pages are outside of the largest piece for a merge to pay. */
export function isWorn(index: IndexFile): boolean {
  const pieces = 'SELECT count(*) AS pages FROM terms_idx GROUP BY segid'
  return index.value(`SELECT ${WORN} * (sum(pages) - max(pages)) > sum(pages) FROM (${pieces})`) === 1
}

/** Merges each full-text table into one piece, in slices, and releases free pages to the disk. */
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

/** Releases the pages that merges freed (a sixth of the file) to the disk, in slices. */
async function shrink(index: IndexFile, signal: AbortSignal): Promise<void> {
  while (index.value('PRAGMA freelist_count') > 0) {
    index.rows(`PRAGMA incremental_vacuum(${MERGE_PAGES})`)
    await setImmediate(undefined, { signal })
  }
}
