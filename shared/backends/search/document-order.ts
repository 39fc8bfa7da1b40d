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
/** Gap between the last documents after relabelling. Larger, because later documents often belong among them, like those of the same millisecond. */
const SPACING_AT_THE_END = 64
/** Smallest gap per neighbour and pending document after relabelling. */
const ROOM = 2
const FEWEST_NEIGHBOURS = 8
/** Most pending documents for which a relabelling makes room. Bounds its time. */
const MOST_WAITING = 2_000

/** The position of a document: its creation time (UNIX milliseconds) and id. */
type Position = readonly [created: number, mediaId: number]

/**
 * A free label for the first pending document without one.
 * @throws DocumentsNeeded where neighbours are relabelled, which reindexes their text
 */
export function freeLabel(index: IndexFile, position: Position, known: KnownDocuments): number {
  const before = labelBefore(index, position) ?? 0
  const after = index.row<[number, ...Position]>('SELECT label, created, media_id FROM doc WHERE label > ? ORDER BY label LIMIT 1', before)
  if (after === undefined) return before === 0 ? FIRST_LABEL : before + SPACING
  const [end, ...next] = after
  const waiting = Math.max(1, waitingBetween(index, position, next).length)
  const step = Math.floor((end - before) / (waiting + 1))
  if (step > 0) return before === 0 ? Math.max(step, end - SPACING * waiting) : before + step
  spreadOut(index, position, before, end, known)
  return freeLabel(index, position, known)
}

/** Positions of documents without labels, from one position until another. */
function waitingBetween(index: IndexFile, [created, mediaId]: Position, until: Position): Position[] {
  return index.rows(
    'SELECT created, media_id FROM pending WHERE (created, media_id) >= (?, ?) AND (created, media_id) < (?, ?) ORDER BY 1, 2 LIMIT ?',
    created,
    mediaId,
    ...until,
    MOST_WAITING,
  )
}

/** The last label of a document that is before this position. */
function labelBefore(index: IndexFile, position: Position): number | undefined {
  const end = index.row<[number, ...Position]>('SELECT label, created, media_id FROM doc ORDER BY label DESC LIMIT 1')
  if (!end) return undefined
  const [label, ...last] = end
  if (isBefore(last, position)) return label
  const after = firstLabelFrom(index, ...position)
  return index.row<[number]>('SELECT label FROM doc WHERE label < ? ORDER BY label DESC LIMIT 1', after ?? label)?.[0]
}

/**
 * The first label at or after this position: creation time (UNIX milliseconds), then id. Labels are in order of time, so a binary search of some
 * thirty steps finds it without an index.
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

/** Relabels the fewest neighbours that restore gaps around a position, with room for pending documents. */
function spreadOut(index: IndexFile, position: Position, before: number, after: number, known: KnownDocuments): void {
  for (let reach = FEWEST_NEIGHBOURS; ; reach *= 2) {
    const left = neighbours(index, '<= ? ORDER BY label DESC', before, reach + 1).reverse()
    const right = neighbours(index, '>= ? ORDER BY label', after, reach + 1)
    const low = left.length > reach ? (left.shift()?.[0] ?? 0) : 0
    const end = right.length > reach ? right.pop() : undefined
    const [, ...last] = end ?? right.at(-1)!
    const waiting = waitingBetween(index, position, last)
    const step = end ? Math.floor((end[0] - low) / (left.length + waiting.length + right.length + 1)) : SPACING_AT_THE_END
    if (step < ROOM) continue
    const moves = new Map<number, number>()
    let [to, passed] = [low, 0]
    for (const [from, ...place] of [...left, ...right]) {
      // Leaves labels free for pending documents before it.
      for (; passed < waiting.length && isBefore(waiting[passed]!, place); passed++) to += step
      to += step
      moves.set(from, to)
    }
    relabel(index, moves, known)
    return
  }
}

function neighbours(index: IndexFile, side: string, from: number, limit: number): [label: number, ...Position][] {
  return index.rows(`SELECT label, created, media_id FROM doc WHERE label ${side} LIMIT ?`, from, limit)
}

function isBefore([created, mediaId]: Position, [otherCreated, otherId]: Position): boolean {
  return created < otherCreated || (created === otherCreated && mediaId < otherId)
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
    // Removed files have no text. Their folders find them until the feed reports the removal.
    const text = document && indexedText(document)
    if (text) writeText(index, to, text)
    index.run('UPDATE doc SET text = ? WHERE label = ?', text ? fingerprint(text) : null, to)
  }
}

function moveRows(index: IndexFile, from: number, to: number): void {
  for (const table of ['doc', 'placement', 'shared']) index.run(`UPDATE ${table} SET label = ? WHERE label = ?`, to, from)
}
