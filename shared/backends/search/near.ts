/** Largest distance of near phrases, in letters that are added, left out or replaced. */
const MOST_LETTERS = 2

/** A phrase that is near another one. */
export interface Near {
  phrase: string
  /** Letters between the two: 0 to 2. */
  distance: number
}

/** Of a phrase of two letters at least one has to stay. */
function mostBetween(length: number): number {
  return Math.min(MOST_LETTERS, length - 1)
}

/** Phrases within two letters of another one. */
export const nearest = {
  /**
   * Necessary conditions of near phrases, so that few are compared.
   * @returns inclusive bounds of their length in characters, and parts of which they have at least one: two changes leave one of three parts
   */
  needs(phrase: string): { length: [from: number, to: number]; parts: string[] } {
    const letters = Array.from(phrase)
    const most = mostBetween(letters.length)
    const part = Math.max(1, Math.floor(letters.length / (most + 1)))
    const parts = Array.from({ length: most + 1 }, (_, n) => letters.slice(n * part, n === most ? undefined : (n + 1) * part).join(''))
    return { length: [letters.length - most, letters.length + most], parts: parts.filter((text) => text !== '') }
  },

  /** Those of `phrases` that are near, in their order. */
  of(wanted: string, phrases: readonly string[]): Near[] {
    const letters = Array.from(wanted)
    const most = mostBetween(letters.length)
    return phrases.flatMap((phrase) => {
      const distance = lettersBetween(letters, Array.from(phrase), most)
      return distance === undefined ? [] : [{ phrase, distance }]
    })
  },
}

/** The Levenshtein distance. @returns undefined where it is more than `most` */
function lettersBetween(one: readonly string[], other: readonly string[], most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (const [n, letter] of one.entries()) {
    const next = [n + 1]
    for (const [m, otherLetter] of other.entries()) {
      next.push(Math.min(row[m]! + (letter === otherLetter ? 0 : 1), row[m + 1]! + 1, next[m]! + 1))
    }
    if (Math.min(...next) > most) return undefined
    row = next
  }
  const distance = row.at(-1)!
  return distance > most ? undefined : distance
}
