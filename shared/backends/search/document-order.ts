import type { IndexFile } from './index-file.ts'
import { deleteMatches, readText, writeMatches } from './stored-text.ts'

/**
 * Labels keep documents in order of (created, media id) with room for later arrivals between them. Nearly every document is the newest
 * and goes to the end; where one must go between two that have no room, their neighbours are spread out anew. Small labels keep the
 * full-text index small: spaced by 16 it is 5 % larger than with none, spaced as widely as milliseconds a third.
 */
const SPACING = 16
const FIRST_LABEL = 2 ** 24
/** Neighbours are spread out when they, and the newcomer, then have this much room each. */
const ROOM = 4
const FEWEST_NEIGHBOURS = 8

/** A free label at the place of a document with this creation time (UNIX milliseconds) and id. */
export function placeInOrder(index: IndexFile, created: number, mediaId: number): number {
  const before = labelBefore(index, created, mediaId) ?? 0
  const after = labelAfter(index, created, mediaId)
  if (after === undefined) return before === 0 ? FIRST_LABEL : before + SPACING
  if (after - before > 1) return Math.max(Math.floor((before + after) / 2), before === 0 ? after - SPACING : 0)
  spreadOut(index, before, after)
  return placeInOrder(index, created, mediaId)
}

function labelBefore(index: IndexFile, created: number, mediaId: number): number | undefined {
  return index.row<[number]>(
    'SELECT label FROM doc WHERE (created, media_id) < (?, ?) ORDER BY created DESC, media_id DESC LIMIT 1',
    created,
    mediaId,
  )?.[0]
}

function labelAfter(index: IndexFile, created: number, mediaId: number): number | undefined {
  return index.row<[number]>(
    'SELECT label FROM doc WHERE (created, media_id) > (?, ?) ORDER BY created, media_id LIMIT 1',
    created,
    mediaId,
  )?.[0]
}

/** Moves the fewest neighbours around the gap between two labels such that every gap among them has room again. */
function spreadOut(index: IndexFile, before: number, after: number): void {
  for (let reach = FEWEST_NEIGHBOURS; ; reach *= 2) {
    const left = labels(index, 'SELECT label FROM doc WHERE label <= ? ORDER BY label DESC LIMIT ?', before, reach + 1).reverse()
    const right = labels(index, 'SELECT label FROM doc WHERE label >= ? ORDER BY label LIMIT ?', after, reach + 1)
    const low = left.length > reach ? (left.shift() ?? 0) : 0
    const high = right.length > reach ? right.pop() : undefined
    const moved = [...left, ...right]
    const step = high === undefined ? SPACING : Math.floor((high - low) / (moved.length + 1))
    if (step < ROOM) continue
    relabel(index, new Map(moved.map((label, n) => [label, low + (n + 1) * step])))
    return
  }
}

function labels(index: IndexFile, sql: string, from: number, limit: number): number[] {
  return index.rows<[number]>(sql, from, limit).map(([label]) => label)
}

/** Gives documents new labels; by way of negative ones, because a new label may still be another's old one. */
function relabel(index: IndexFile, moves: ReadonlyMap<number, number>): void {
  for (const [from, to] of moves) {
    deleteMatches(index, from)
    moveRows(index, from, -to)
  }
  for (const to of moves.values()) {
    moveRows(index, -to, to)
    const text = readText(index, to)
    if (text) writeMatches(index, to, text)
  }
}

function moveRows(index: IndexFile, from: number, to: number): void {
  for (const table of ['doc', 'text', 'placement', 'shared']) index.run(`UPDATE ${table} SET label = ? WHERE label = ?`, to, from)
}
