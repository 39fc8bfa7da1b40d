import type { Layout } from './layout.ts'

interface Grid {
  layout(): Layout
  /** Rows that a page has. */
  page(): number
  count(): number
}

/** Where keys lead in a grid. Up and down keep the column as well as rows of other widths let them. */
export class GridKeys {
  readonly #grid: Grid

  constructor(grid: Grid) {
    this.#grid = grid
  }

  /** @returns the file that a key leads to; undefined for other keys */
  next(key: string, from: number): number | undefined {
    const last = this.#grid.count() - 1
    switch (key) {
      case 'ArrowLeft':
        return Math.max(0, from - 1)
      case 'ArrowRight':
        return Math.min(last, from + 1)
      case 'ArrowUp':
        return this.#inRow(from, -1)
      case 'ArrowDown':
        return this.#inRow(from, 1)
      case 'PageUp':
        return this.#inRow(from, -this.#grid.page())
      case 'PageDown':
        return this.#inRow(from, this.#grid.page())
      case 'Home':
        return 0
      case 'End':
        return last
      default:
        return undefined
    }
  }

  /** The file some rows away that is nearest to the middle of this one. */
  #inRow(from: number, rows: number): number {
    const layout = this.#grid.layout()
    const row = layout.rowOf(from)
    const target = Math.max(0, Math.min(layout.rows - 1, row + rows))
    if (target === row) return rows < 0 ? 0 : this.#grid.count() - 1
    const middle = middleOf(layout.boxesOf(row).find(({ index }) => index === from))
    const [nearest] = layout.boxesOf(target).sort((a, b) => Math.abs(middleOf(a) - middle) - Math.abs(middleOf(b) - middle))
    return nearest?.index ?? from
  }
}

const middleOf = (box: { left: number; width: number } | undefined): number => (box ? box.left + box.width / 2 : 0)
