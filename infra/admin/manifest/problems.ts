import { onOneLine } from '../../../shared/library/names.ts'

/** Most problems that are told. */
const MOST_TOLD = 20
/** Most characters of a line. */
const LONGEST = 500

/** What is wrong with a manifest: the first problems, by entry, and how many there are. */
export class ManifestProblems {
  readonly #told: { number: number; line: string }[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /**
   * @param number of the entry, from 1
   * @param id of its item, where that is known
   * @param problem may quote the manifest: whatever that holds, a terminal is told one line of text
   */
  add(number: number, id: string | undefined, problem: string): void {
    this.#count++
    const name = id === undefined ? `entry ${number}` : `entry ${number} (id ${id})`
    const line = onOneLine(`${name}: ${problem}`)
    this.#told.push({ number, line: line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line })
    if (this.#told.length < 2 * MOST_TOLD) return
    this.#sort()
    this.#told.length = MOST_TOLD
  }

  /** The first problems in lines, and how many more there are. */
  lines(): string[] {
    this.#sort()
    const told = this.#told.slice(0, MOST_TOLD).map(({ line }) => line)
    return this.#count > told.length ? [...told, `and ${this.#count - told.length} more`] : told
  }

  #sort(): void {
    this.#told.sort((one, other) => one.number - other.number)
  }
}
