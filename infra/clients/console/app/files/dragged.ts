import type { Chosen } from '../bulk/calls.ts'

/** Files of the library that are being dragged. */
class Dragged {
  #chosen: Chosen = { ids: [] }
  #folder: number | undefined
  #refusal: Error | undefined

  /** @param refusal why they may not be moved */
  take(chosen: Chosen, folder: number | undefined, refusal?: Error): void {
    this.#chosen = chosen
    this.#folder = folder
    this.#refusal = refusal
  }

  get files(): { chosen: Chosen; folder: number | undefined; refusal: Error | undefined } {
    return { chosen: this.#chosen, folder: this.#folder, refusal: this.#refusal }
  }
}

export const dragged = new Dragged()
