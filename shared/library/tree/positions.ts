/** Where in a list each id is. A Map of 100,000 takes five times as much memory, and grows by copies. */
export class Positions {
  /** Ascending. */
  readonly #ids: Int32Array
  readonly #positions: Int32Array

  private constructor(ids: Int32Array, positions: Int32Array) {
    this.#ids = ids
    this.#positions = positions
  }

  /** @param list each id once */
  static of(list: ArrayLike<number>): Positions {
    const { length } = list
    // Id and position in one number sort without a function that compares. It is exact for any id, up to four million of them.
    const pairs = new Float64Array(length)
    for (let position = 0; position < length; position++) pairs[position] = list[position]! * length + position
    pairs.sort()
    const [ids, positions] = [new Int32Array(length), new Int32Array(length)]
    for (let at = 0; at < length; at++) {
      const position = pairs[at]! % length
      positions[at] = position
      ids[at] = (pairs[at]! - position) / length
    }
    return new Positions(ids, positions)
  }

  /** The position of an id in the list; undefined where it isn't in it. */
  find(id: number): number | undefined {
    const at = this.#rank(id)
    return this.#ids[at] === id ? this.#positions[at] : undefined
  }

  /** The positions in the list with another id, which pushes back all from its position on. */
  withInserted(id: number, position: number): Positions {
    const at = this.#rank(id)
    const positions = inserted(this.#positions, at, position)
    for (let n = 0; n < positions.length; n++) if (n !== at && positions[n]! >= position) positions[n]!++
    return new Positions(inserted(this.#ids, at, id), positions)
  }

  /** How many ids are smaller. */
  #rank(id: number): number {
    let [low, high] = [0, this.#ids.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#ids[middle]! < id) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** A list with another number, before which so many remain. */
export function inserted(list: Int32Array, at: number, number: number): Int32Array {
  const longer = new Int32Array(list.length + 1)
  longer.set(list.subarray(0, at))
  longer[at] = number
  longer.set(list.subarray(at), at + 1)
  return longer
}
