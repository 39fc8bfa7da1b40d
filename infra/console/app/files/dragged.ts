/** Files of the library that are being dragged. */
class Dragged {
  #ids: number[] = []
  #folder: number | undefined

  take(ids: number[], folder: number | undefined): void {
    this.#ids = ids
    this.#folder = folder
  }

  get files(): { ids: number[]; folder: number | undefined } {
    return { ids: this.#ids, folder: this.#folder }
  }
}

export const dragged = new Dragged()
