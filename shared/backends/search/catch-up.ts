import { setImmediate } from 'node:timers/promises'
import { ageOf, knownAge, putDocument, removeDocument } from './document-rows.ts'
import type { IndexFile } from './index-file.ts'
import type { DocumentFeed, Removal, SearchDocument } from './port.ts'

/** Documents that are indexed at a stretch, about 20 ms of work, before other requests have their turn. */
const SLICE = 100

/** After this many documents the full-text index is merged into one piece, which makes queries several times faster. */
const MANY = 10_000

/** Pages of 4 KiB that a merge writes at a stretch. */
const MERGE_PAGES = 200

/**
 * Brings an index up to date: everything that was committed before the call is in it afterwards. Changes are first put down with the
 * feed's position, in one transaction, and then indexed oldest file first, whatever order the feed tells them in; either half goes on
 * where it was cut off. Gives way to other work between slices. Several may run at once on one file.
 * @throws what the feed throws
 */
export async function catchUp(companyId: number, index: IndexFile, feed: DocumentFeed, signal: AbortSignal): Promise<void> {
  let position = index.row<[string]>('SELECT position FROM state')?.[0]
  for (let more = true; more; ) {
    const page = await feed.changes(companyId, position)
    signal.throwIfAborted()
    if (page.changes.length > 0 && page.position !== position) putDown(index, page.changes, page.position)
    ;({ position, more } = page)
  }
  let indexed = 0
  for (let count = SLICE; count === SLICE; indexed += count) {
    count = index.row('SELECT 1 FROM pending LIMIT 1') ? index.transaction(() => indexPending(index)) : 0
    if (count === SLICE) await setImmediate(undefined, { signal })
  }
  if (indexed < MANY) return
  await merge(index, 'words', signal)
  await merge(index, 'grams', signal)
}

function putDown(index: IndexFile, changes: readonly (SearchDocument | Removal)[], position: string): void {
  index.transaction(() => {
    for (const change of changes) {
      if (ageOf(change) <= knownAge(index, change.mediaId)) continue
      const document = 'removed' in change ? null : JSON.stringify(change)
      const created = 'removed' in change ? 0 : change.created
      index.run('INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?)', change.mediaId, change.revision, created, document)
    }
    index.run('DELETE FROM state')
    index.run('INSERT INTO state VALUES (?)', position)
  })
}

/** @returns how many changes it took, at most `SLICE` */
function indexPending(index: IndexFile): number {
  const pending = index.rows<[number, number, string | null]>(
    'SELECT media_id, revision, document FROM pending ORDER BY created, media_id LIMIT ?',
    SLICE,
  )
  for (const [mediaId, revision, document] of pending) {
    if (document === null) removeDocument(index, { mediaId, revision, removed: true })
    else putDocument(index, JSON.parse(document) as SearchDocument)
    index.run('DELETE FROM pending WHERE media_id = ?', mediaId)
  }
  return pending.length
}

/** Merges a full-text table into one segment, little by little (SQLite's way: a negative number begins, positive ones go on until idle). */
async function merge(index: IndexFile, table: 'words' | 'grams', signal: AbortSignal): Promise<void> {
  const changes = () => index.value('SELECT total_changes()')
  for (let pages = -MERGE_PAGES, idle = false; !idle; pages = MERGE_PAGES) {
    const before = changes()
    index.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages)
    idle = changes() - before < 2
    await setImmediate(undefined, { signal })
  }
}
