/** A range of a text, and its replacement. */
export interface Splice {
  start: number
  end: number
  text: string
}

/** Replaces ranges of a text. @param splices disjoint, in any order */
export function splice(text: string, splices: readonly Splice[]): string {
  const ordered = splices.toSorted((one, other) => one.start - other.start)
  const pieces = ordered.map((each, index) => text.slice(ordered[index - 1]?.end ?? 0, each.start) + each.text)
  return pieces.join('') + text.slice(ordered.at(-1)?.end ?? 0)
}
