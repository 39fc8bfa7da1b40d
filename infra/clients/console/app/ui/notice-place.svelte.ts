import { untrack } from 'svelte'

/**
 * Where notices are shown: in the page, or in the dialog on top of it. What is outside of a modal dialog lies below it, takes no clicks and
 * isn't read by screen readers.
 */
class NoticePlace {
  #places = $state.raw<readonly symbol[]>([])

  get present(): symbol | undefined {
    return this.#places.at(-1)
  }

  /** @returns what gives it back to the place before */
  take(place: symbol): () => void {
    // An effect that takes a place doesn't depend on the others.
    this.#places = [...untrack(() => this.#places), place]
    return () => {
      this.#places = this.#places.filter((other) => other !== place)
    }
  }
}

export const noticePlace = new NoticePlace()
