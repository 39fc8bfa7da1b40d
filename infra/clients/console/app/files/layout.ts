/** Where the files of a list lie: rows from top to bottom, in pixels. Rows and files are counted from 0. */
export interface Layout {
  readonly height: number
  readonly rows: number
  topOf(row: number): number
  heightOf(row: number): number
  /** The row at a height; the nearest one where there is none. */
  rowAt(y: number): number
  rowOf(index: number): number
  /** The first file of a row, and the first of the next one. */
  filesOf(row: number): [first: number, end: number]
  boxesOf(row: number): Box[]
}

/** A file's place in its row. */
export interface Box {
  index: number
  left: number
  width: number
}

/** Width by height of a file whose size is not known, and limits that keep panoramas and strips recognizable. */
const UNKNOWN = 1.25
const NARROWEST = 0.5
const WIDEST = 3.2

const shownRatio = (ratio: number): number => (ratio === 0 ? UNKNOWN : Math.min(WIDEST, Math.max(NARROWEST, ratio / 100)))

/** Rows of equal width in which pictures keep their shape. Takes 23 ms for 1,000,000 files. */
export class JustifiedLayout implements Layout {
  readonly rows: number
  readonly height: number
  readonly #ratios: Uint16Array
  /** First file of each row, then the number of files. */
  readonly #firsts: Uint32Array
  /** Top of each row, then the height of all. */
  readonly #tops: Float64Array
  readonly #width: number
  readonly #gap: number
  readonly #caption: number

  /** @param ratios 100 x width / height of each file, 0 where unknown @param options.caption pixels below each picture */
  constructor(
    ratios: Uint16Array,
    { width, rowHeight, gap, caption = 0 }: { width: number; rowHeight: number; gap: number; caption?: number },
  ) {
    this.#ratios = ratios
    this.#width = width
    this.#gap = gap
    this.#caption = caption
    const firsts = new Uint32Array(ratios.length + 1)
    const tops = new Float64Array(ratios.length + 1)
    let row = 0
    let top = 0
    let sum = 0
    for (let index = 0; index < ratios.length; index++) {
      sum += shownRatio(ratios[index]!)
      const isLast = index === ratios.length - 1
      const space = width - (index - firsts[row]!) * gap
      if (sum * rowHeight < space && !isLast) continue
      top += Math.min(rowHeight, Math.round(space / sum)) + caption + gap
      row++
      firsts[row] = index + 1
      tops[row] = top
      sum = 0
    }
    this.rows = row
    this.#firsts = firsts.slice(0, row + 1)
    this.#tops = tops.slice(0, row + 1)
    this.height = Math.max(0, top - gap)
  }

  topOf(row: number): number {
    return this.#tops[row]!
  }

  heightOf(row: number): number {
    return this.#tops[row + 1]! - this.#tops[row]! - this.#gap
  }

  rowAt(y: number): number {
    return Math.min(this.rows - 1, lastAtMost(this.#tops, y))
  }

  rowOf(index: number): number {
    return Math.min(this.rows - 1, lastAtMost(this.#firsts, index))
  }

  filesOf(row: number): [first: number, end: number] {
    return [this.#firsts[row]!, this.#firsts[row + 1]!]
  }

  boxesOf(row: number): Box[] {
    const [first, end] = this.filesOf(row)
    const height = this.heightOf(row) - this.#caption
    // Heights are whole pixels: what that takes from a full row its last file gets back.
    const isFull = row < this.rows - 1
    const boxes: Box[] = []
    let left = 0
    for (let index = first; index < end; index++) {
      const right = isFull && index === end - 1 ? this.#width : Math.min(this.#width, left + shownRatio(this.#ratios[index]!) * height)
      boxes.push({ index, left: Math.round(left), width: Math.round(right) - Math.round(left) })
      left = right + this.#gap
    }
    return boxes
  }
}

/** One file a row. */
export class ListLayout implements Layout {
  readonly rows: number
  readonly #width: number
  readonly #rowHeight: number

  constructor(files: number, { width, rowHeight }: { width: number; rowHeight: number }) {
    this.rows = files
    this.#width = width
    this.#rowHeight = rowHeight
  }

  get height(): number {
    return this.rows * this.#rowHeight
  }

  topOf(row: number): number {
    return row * this.#rowHeight
  }

  heightOf(): number {
    return this.#rowHeight
  }

  rowAt(y: number): number {
    return Math.max(0, Math.min(this.rows - 1, Math.floor(y / this.#rowHeight)))
  }

  rowOf(index: number): number {
    return index
  }

  filesOf(row: number): [first: number, end: number] {
    return [row, row + 1]
  }

  boxesOf(row: number): Box[] {
    return [{ index: row, left: 0, width: this.#width }]
  }
}

/** The last place in a sorted list whose value is at most so much; 0 where none is. */
function lastAtMost(sorted: Float64Array | Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sorted[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
