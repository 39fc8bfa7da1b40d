import type { Chosen } from '../bulk/calls.ts'

/** Files of the library that are being dragged. */
class Dragged {
  #chosen: Chosen = { ids: [] }
  #folder: number | undefined

  take(chosen: Chosen, folder: number | undefined): void {
    this.#chosen = chosen
    this.#folder = folder
  }

  get files(): { chosen: Chosen; folder: number | undefined } {
    return { chosen: this.#chosen, folder: this.#folder }
  }
}

export const dragged = new Dragged()
