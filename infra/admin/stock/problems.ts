import { onOneLine } from '../../../shared/library/names.ts'

/** Most listed problems. */
const MOST_LINES = 20
/** Most characters of a line. */
const LONGEST = 500

/** Problems of a manifest: the first ones, by entry, and their number. */
export class ManifestProblems {
  readonly #kept: { number: number; line: string }[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /**
   * @param number of the entry, from 1
   * @param id of its item, where that is known
   * @param problem may quote the manifest; it is printed as one line without control characters
   */
  add(number: number, id: string | undefined, problem: string): void {
    this.#count++
    const name = id === undefined ? `entry ${number}` : `entry ${number} (id ${id})`
    const line = onOneLine(`${name}: ${problem}`)
    this.#kept.push({ number, line: line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line })
    if (this.#kept.length < 2 * MOST_LINES) return
    this.#sort()
    this.#kept.length = MOST_LINES
  }

  /** The first problems as lines, and the number of others. */
  lines(): string[] {
    this.#sort()
    const lines = this.#kept.slice(0, MOST_LINES).map(({ line }) => line)
    return this.#count > lines.length ? [...lines, `and ${this.#count - lines.length} more`] : lines
  }

  #sort(): void {
    this.#kept.sort((one, other) => one.number - other.number)
  }
}
