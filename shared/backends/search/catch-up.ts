import { setImmediate } from 'node:timers/promises'
import { knownAge, putDocument, removeDocument } from './document-rows.ts'
import type { IndexFile } from './index-file.ts'
import { DocumentsNeeded, KnownDocuments } from './known-documents.ts'
import { mergePieces } from './merge.ts'
import { ageOf, type DocumentFeed, type Removal, type SearchDocument } from './port.ts'

/** Milliseconds of work in one slice. Requests are answered between slices. */
const SLICE = 100

/**
 * Bounds of the documents indexed in one slice; within them, as many as the last slice's speed allows. Most of the time goes into the commit,
 * which takes nearly as long for half as many documents.
 */
const [FEWEST, FIRST, MOST] = [20, 50, 2_000]

/** After this many documents the full-text index is merged into one piece, which makes queries several times faster. */
const MANY = 10_000

/** Factor for the length of slices while very many documents are indexed, because every commit adds a piece to the full-text index. */
const LONGER = 3

/**
 * Settings of FTS5: pieces that are merged into one (`automerge`; all of a size at once from `crisismerge`), and bytes in memory before a piece
 * is written. Few pieces make queries faster. Bulk indexing uses more and larger ones, because each merge writes everything again.
 * FTS5 keeps pieces in levels, of which it merges a high one rarely. With more than 8 the last piece would be at a low level, and few changes later
 * it would be merged again.
 */
const SETTINGS = {
  few: { automerge: 4, crisismerge: 16, hashsize: 2 ** 20 },
  many: { automerge: 8, crisismerge: 64, hashsize: 2 ** 22 },
}

interface CatchUpOptions {
  /** Aborts between two slices. */
  signal: AbortSignal
  /** Milliseconds of work in one slice. */
  slice?: number
  /** Receives the number of new changes from the feed. */
  count?: (changes: number) => void
}

/**
 * Brings an index up to date: afterwards it has everything that was committed before the call. It first stores all changes of the feed as
 * pending, then the feed's position, and then indexes them, oldest file first. After an interruption either half continues where it ended.
 * Other work has its turn after every slice. Several may run at once on one file.
 * @throws errors of the feed, `AbortError`
 */
export async function catchUp(
  companyId: number,
  index: IndexFile,
  feed: DocumentFeed,
  { signal, slice = SLICE, count }: CatchUpOptions,
): Promise<void> {
  const turn = () => setImmediate(undefined, { signal })
  let position = index.row<[string | null]>('SELECT position FROM state')?.[0] ?? undefined
  for (let more = true; more; ) {
    const page = await feed.changes(companyId, position)
    signal.throwIfAborted()
    for (let done = 0; done < page.changes.length; ) {
      if (done > 0) await turn()
      let stored = 0
      done += index.transaction(() =>
        repeated(slice, page.changes.length - done, (n) => {
          if (enqueue(index, page.changes[done + n]!)) stored++
        }),
      )
      count?.(stored)
    }
    if (page.position !== position) index.run('UPDATE state SET position = ?', page.position)
    ;({ position, more } = page)
    if (more) index.expect('many')
  }
  const isMany = isPending(index, MANY)
  if (isMany) configure(index, SETTINGS.many)
  index.expect(isMany ? 'many' : 'few')
  const known = new KnownDocuments()
  const length = isMany ? LONGER * slice : slice
  let atOnce = FIRST
  while (isPending(index, 1)) {
    const started = performance.now()
    const needed = index.transaction(() => indexPending(index, atOnce, length, known))
    if (needed) await known.read(companyId, feed, needed)
    else known.forgetMany()
    signal.throwIfAborted()
    const fitting = (atOnce * length) / (performance.now() - started)
    atOnce = Math.round(Math.max(FEWEST, Math.min(MOST, fitting, 2 * atOnce)))
    await turn()
  }
  // Stored in the file, so that an interrupted merge is finished.
  if (index.value("SELECT v FROM terms_config WHERE k = 'automerge'") !== SETTINGS.many.automerge) return
  await mergePieces(index, signal)
  configure(index, SETTINGS.few)
  index.expect('few')
}

/** Whether at least so many changes are pending. */
function isPending(index: IndexFile, changes: number): boolean {
  return index.row('SELECT 1 FROM pending LIMIT 1 OFFSET ?', changes - 1) !== undefined
}

function configure(index: IndexFile, settings: Readonly<Record<string, number>>): void {
  index.transaction(() => {
    for (const table of ['texts', 'terms']) {
      for (const [name, value] of Object.entries(settings)) index.run(`INSERT INTO ${table} (${table}, rank) VALUES ('${name}', ${value})`)
    }
  })
}

/** Repeats work at least once, and up to `most` times within the slice. @returns the number of times */
function repeated(slice: number, most: number, work: (n: number) => void): number {
  const end = performance.now() + slice
  let count = 0
  do work(count++)
  while (count < most && performance.now() < end)
  return count
}

/** @returns whether the change is new */
function enqueue(index: IndexFile, change: SearchDocument | Removal): boolean {
  if (ageOf(change) <= knownAge(index, change.mediaId)) return false
  const document = 'removed' in change ? null : JSON.stringify(change)
  const created = 'removed' in change ? 0 : change.created
  index.run('INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?)', change.mediaId, change.revision, created, document)
  return true
}

/** @returns the documents that are needed to go on, if any */
function indexPending(index: IndexFile, most: number, slice: number, known: KnownDocuments): DocumentsNeeded | undefined {
  const pending = index.rows<[number, number, string | null]>(
    'SELECT media_id, revision, document FROM pending ORDER BY created, media_id LIMIT ?',
    most,
  )
  let count = 0
  let needed: DocumentsNeeded | undefined
  try {
    repeated(slice, pending.length, (n) => {
      const [mediaId, revision, document] = pending[n]!
      if (document === null) removeDocument(index, { mediaId, revision, removed: true })
      else put(index, document, known)
      count++
    })
  } catch (error) {
    if (!(error instanceof DocumentsNeeded)) throw error
    needed = error
  }
  // All at once, at the end: at a statement that may change several rows FTS5 writes its buffer to the file, as it does at the commit.
  index.run('DELETE FROM pending WHERE rowid IN (SELECT rowid FROM pending ORDER BY created, media_id LIMIT ?)', count)
  return needed
}

function put(index: IndexFile, json: string, known: KnownDocuments): void {
  const document = JSON.parse(json) as SearchDocument
  putDocument(index, document, known)
  known.add(document, json.length)
}
