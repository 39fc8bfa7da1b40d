import { tokenize } from '../../vocabulary/folding.ts'
import { type Term, termTokens } from '../../vocabulary/term.ts'

/**
 * Tags of folders, which files inherit and engines don't know. All are folded once into one text, so that one search through it compares a term
 * with thousands of tags.
 */
export class FoldedTags {
  /** A line for each tag: its tokens with a space before, between and after them. */
  readonly #text: string
  readonly #starts: readonly number[]

  constructor(tags: readonly string[]) {
    const starts: number[] = []
    let text = ''
    for (const tag of tags) {
      starts.push(text.length)
      text += ` ${tokenize(tag).join(' ')} \n`
    }
    this.#text = text
    this.#starts = starts
  }

  /** Positions of the tags that a term matches as it would match a keyword, ascending. */
  matching(term: Pick<Term, 'words' | 'matching'>): number[] {
    const tokens = termTokens(term)
    if (tokens.length === 0) return []
    const phrase = tokens.join(' ')
    const wanted = term.matching === 'infix' ? phrase : term.matching === 'prefix' ? ` ${phrase}` : ` ${phrase} `
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
