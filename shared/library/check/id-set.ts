/** Ids of one piece share all but their lowest 16 bits. */
const PIECE_BITS = 16
/** A sorted list of more ids than this is larger than a bitmap. */
const LONGEST_LIST = 4096
const BITMAP_BYTES = 2 ** PIECE_BITS / 8

/** Ids of one piece: a sorted list with room at its end, or a bitmap. */
type Piece = { list: Uint16Array; length: number } | { bits: Uint8Array }

/**
 * A set of ids (`MAX_ID` at most) that fits into memory at any size of library: about 2 bytes an id, and never more than 256 MB. Built like
 * a Roaring bitmap (Chambi, Lemire, Kaser, Godin: "Better bitmap performance with Roaring bitmaps", 2016).
 */
export class IdSet {
  readonly #pieces = new Map<number, Piece>()

  has(id: number): boolean {
    const piece = this.#pieces.get(id >>> PIECE_BITS)
    if (!piece) return false
    const low = id & 0xffff
    if ('bits' in piece) return (piece.bits[low >>> 3]! & (1 << (low & 7))) !== 0
    return piece.list[placeOf(piece, low)] === low && placeOf(piece, low) < piece.length
  }

  add(id: number): void {
    const high = id >>> PIECE_BITS
    const low = id & 0xffff
    let piece = this.#pieces.get(high)
    if (!piece) {
      piece = { list: new Uint16Array(4), length: 0 }
      this.#pieces.set(high, piece)
    }
    if ('list' in piece && piece.length === LONGEST_LIST) {
      piece = { bits: toBitmap(piece.list) }
      this.#pieces.set(high, piece)
    }
    if ('bits' in piece) piece.bits[low >>> 3]! |= 1 << (low & 7)
    else insert(piece, low)
  }
}

function toBitmap(list: Uint16Array): Uint8Array {
  const bits = new Uint8Array(BITMAP_BYTES)
  for (const low of list) bits[low >>> 3]! |= 1 << (low & 7)
  return bits
}

function insert(piece: { list: Uint16Array; length: number }, low: number): void {
  const place = placeOf(piece, low)
  if (place < piece.length && piece.list[place] === low) return
  if (piece.length === piece.list.length) {
    const longer = new Uint16Array(Math.min(LONGEST_LIST, Math.ceil(piece.length * 1.5)))
    longer.set(piece.list)
    piece.list = longer
  }
  piece.list.copyWithin(place + 1, place, piece.length)
  piece.list[place] = low
  piece.length++
}

/** Where an id is in a sorted list, or would be. */
function placeOf({ list, length }: { list: Uint16Array; length: number }, low: number): number {
  let [from, to] = [0, length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (list[middle]! < low) from = middle + 1
    else to = middle
  }
  return from
}
