import { tokensOfReadings } from '../../vocabulary/spelling.ts'
import { type Matching, type Term, termReadings } from '../../vocabulary/term.ts'

/** Separates the readings of a tag. Never part of a token. */
const BREAK = ' | '

/**
 * Matches terms against folder tags, which files inherit and search engines don't index. Folds all tags into one text, so that one
 * substring search covers thousands of tags.
 */
export class FoldedTags {
  /** A line per tag: the tokens of its readings, with a space before, between and after them. */
  readonly #text: string
  readonly #starts: readonly number[]

  constructor(tags: readonly string[]) {
    const starts: number[] = []
    let text = ''
    for (const tag of tags) {
      starts.push(text.length)
      text += ` ${tokensOfReadings(tag)
        .map((tokens) => tokens.join(' '))
        .join(BREAK)} \n`
    }
    this.#text = text
    this.#starts = starts
  }

  /** Positions of the matching tags, ascending. A term matches a tag as it matches a keyword. */
  matching(term: Pick<Term, 'words' | 'matching'>): number[] {
    const found = termReadings(term).map((tokens) => this.#having(tokens.join(' '), term.matching))
    return found.length > 1 ? [...new Set(found.flat())].sort((a, b) => a - b) : (found[0] ?? [])
  }

  #having(phrase: string, matching: Matching): number[] {
    const wanted = matching === 'infix' ? phrase : matching === 'prefix' ? ` ${phrase}` : ` ${phrase} `
    const found: number[] = []
    for (let at = this.#text.indexOf(wanted); at >= 0; ) {
      const position = this.#lineAt(at)
      found.push(position)
      const next = this.#starts[position + 1]
      at = next === undefined ? -1 : this.#text.indexOf(wanted, next)
    }
    return found
  }

  #lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
