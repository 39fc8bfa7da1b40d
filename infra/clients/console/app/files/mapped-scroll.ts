/**
 * Browsers cut elements at 17 to 33 million pixels, on fine screens at half of that. Lists that are higher than this
 * have a scroll bar of this height, whose position stands for one in the list.
 */
export const TALLEST = 5_000_000

/**
 * The position in a list of any height, and that of a scroll bar of at most `TALLEST` pixels. Short ways are the same in both, so that wheel,
 * touch and keys move the list as far as anywhere. Long ways (the bar is dragged) are in proportion. `settle` brings the bar to where it belongs
 * once nothing moves.
 */
export class MappedScroll {
  #height = 0
  #viewport = 0
  #bar = 0
  #position = 0

  /** Pixels above what is shown of the list. */
  get position(): number {
    return this.#position
  }

  /** What to add to a place in the list for its place in the element that scrolls. */
  get shift(): number {
    return this.#bar - this.#position
  }

  get barHeight(): number {
    return Math.min(this.#height, TALLEST)
  }

  /** @param height of the list @param viewport of what is shown of it */
  resize(height: number, viewport: number): void {
    this.#height = height
    this.#viewport = viewport
    this.#position = Math.min(this.#position, this.#end)
  }

  /** The bar was moved. */
  scrolled(bar: number): void {
    const way = bar - this.#bar
    this.#bar = bar
    const isLong = Math.abs(way) > 2 * this.#viewport
    const isAtEdge = bar <= 0 || bar >= this.#barEnd - 1
    if (this.#height <= TALLEST) this.#position = bar
    else if (isAtEdge || isLong) this.#position = this.#barEnd > 0 ? (Math.max(0, bar) / this.#barEnd) * this.#end : 0
    else this.#position += way
    this.#position = Math.max(0, Math.min(this.#end, this.#position))
  }

  /** Goes to a place in the list. @returns where the bar belongs */
  moveTo(position: number): number {
    this.#position = Math.max(0, Math.min(this.#end, position))
    return this.settle()
  }

  /** Brings the bar to where it belongs. What is shown stays. */
  settle(): number {
    this.#bar = this.#height <= TALLEST ? this.#position : this.#end > 0 ? Math.round((this.#position / this.#end) * this.#barEnd) : 0
    return this.#bar
  }

  get #end(): number {
    return Math.max(0, this.#height - this.#viewport)
  }

  get #barEnd(): number {
    return Math.max(0, this.barHeight - this.#viewport)
  }
}
