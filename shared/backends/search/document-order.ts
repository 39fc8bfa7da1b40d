import type { IndexFile } from './index-file.ts'
import { deleteText, fingerprint, indexedText, writeText } from './index-text.ts'
import type { KnownDocuments } from './known-documents.ts'

/**
 * Labels order documents by (created, media id), with gaps for later documents. Nearly every new document is the newest and gets a label at the
 * end. Where there is no gap for one, its neighbours get new labels with gaps. The index grows with the labels: with gaps of 16, beginning at
 * 2 ** 24, it is 7 % larger.
 */
const SPACING = 4
const FIRST_LABEL = 2 ** 20
/** The gap that each neighbour, and the new document, must have after relabelling. */
const ROOM = 2
const FEWEST_NEIGHBOURS = 8

/**
 * A free label in the position of a document with this creation time (UNIX milliseconds) and id.
 * @throws DocumentsNeeded where neighbours get new labels: their text is indexed again
 */
export function freeLabel(index: IndexFile, created: number, mediaId: number, known: KnownDocuments): number {
  const before = labelBefore(index, created, mediaId) ?? 0
  const after = index.row<[number]>('SELECT label FROM doc WHERE label > ? ORDER BY label LIMIT 1', before)?.[0]
  if (after === undefined) return before === 0 ? FIRST_LABEL : before + SPACING
  if (after - before > 1) return Math.max(Math.floor((before + after) / 2), before === 0 ? after - SPACING : 0)
  spreadOut(index, before, after, known)
  return freeLabel(index, created, mediaId, known)
}

/** The last label of a document that is before this position. */
function labelBefore(index: IndexFile, created: number, mediaId: number): number | undefined {
  const last = index.row<[number, number, number]>('SELECT label, created, media_id FROM doc ORDER BY label DESC LIMIT 1')
  if (!last) return undefined
  if (last[1] < created || (last[1] === created && last[2] < mediaId)) return last[0]
  const after = firstLabelFrom(index, created, mediaId)
  return index.row<[number]>('SELECT label FROM doc WHERE label < ? ORDER BY label DESC LIMIT 1', after ?? last[0])?.[0]
}

/**
 * The first label of a document that was created at this time (UNIX milliseconds) or later, or then by an id from this on. Labels are in the order
 * of time, so that it takes no index: it halves the range of labels some thirty times.
 */
export function firstLabelFrom(index: IndexFile, created: number, mediaId = 0): number | undefined {
  let low = index.value('SELECT min(label) FROM doc')
  let high = index.value('SELECT max(label) FROM doc') + 1
  let found: number | undefined
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = index.row<[number, number, number]>(
      'SELECT label, created, media_id FROM doc WHERE label >= ? ORDER BY label LIMIT 1',
      middle,
    )
    if (row && (row[1] < created || (row[1] === created && row[2] < mediaId))) {
      low = row[0] + 1
      continue
    }
    if (row) found = row[0]
    high = middle
  }
  return found
}

/** Gives new labels to the fewest neighbours of two labels that lets all of them have gaps again. */
function spreadOut(index: IndexFile, before: number, after: number, known: KnownDocuments): void {
  for (let reach = FEWEST_NEIGHBOURS; ; reach *= 2) {
    const left = labels(index, 'SELECT label FROM doc WHERE label <= ? ORDER BY label DESC LIMIT ?', before, reach + 1).reverse()
    const right = labels(index, 'SELECT label FROM doc WHERE label >= ? ORDER BY label LIMIT ?', after, reach + 1)
    const low = left.length > reach ? (left.shift() ?? 0) : 0
    const high = right.length > reach ? right.pop() : undefined
    const moved = [...left, ...right]
    const step = high === undefined ? SPACING : Math.floor((high - low) / (moved.length + 1))
    if (step < ROOM) continue
    relabel(index, new Map(moved.map((label, n) => [label, low + (n + 1) * step])), known)
    return
  }
}

function labels(index: IndexFile, sql: string, from: number, limit: number): number[] {
  return index.rows<[number]>(sql, from, limit).map(([label]) => label)
}

/** Gives documents new labels. They get negative ones first, because a new label may be another document's old one. */
function relabel(index: IndexFile, moves: ReadonlyMap<number, number>, known: KnownDocuments): void {
  const mediaIds = [...moves.keys()].map((label) => index.value('SELECT media_id FROM doc WHERE label = ?', label))
  const documents = known.of(mediaIds)
  for (const [from, to] of moves) {
    deleteText(index, from)
    moveRows(index, from, -to)
  }
  for (const [n, to] of [...moves.values()].entries()) {
    moveRows(index, -to, to)
    const document = documents[n]
    // Of a removed file there is no text. It is found by its folders until its removal is told.
    const text = document && indexedText(document)
    if (text) writeText(index, to, text)
    index.run('UPDATE doc SET text = ? WHERE label = ?', text ? fingerprint(text) : null, to)
  }
}

function moveRows(index: IndexFile, from: number, to: number): void {
  for (const table of ['doc', 'placement', 'shared']) index.run(`UPDATE ${table} SET label = ? WHERE label = ?`, to, from)
}
