/** A value of a field, or of a field by language one language of it; undefined where it is not told, or not there. */
export type Value = string | readonly string[] | boolean | { x: number; y: number } | null | undefined

/** What a step changed of a file: a field, or one language of it. */
export interface Difference {
  /** The field's name in the interface. */
  field: string
  language?: string
  before: Value
  after: Value
}

interface Step {
  changed: readonly string[]
  before: Readonly<Record<string, unknown>>
  after: Readonly<Record<string, unknown>>
}

/** The differences that a step made, field by field and language by language. */
export function differencesOf({ changed, before, after }: Step): Difference[] {
  return changed.flatMap((field): Difference[] => {
    const [was, is] = [before[field], after[field]]
    if (!isByLanguage(was) && !isByLanguage(is)) return [{ field, before: was as Value, after: is as Value }]
    const [wasIn, isIn] = [was, is].map((value) => (isByLanguage(value) ? value : {})) as [ByLanguage, ByLanguage]
    return [...new Set([...Object.keys(wasIn), ...Object.keys(isIn)])]
      .filter((language) => JSON.stringify(wasIn[language]) !== JSON.stringify(isIn[language]))
      .map((language) => ({ field, language, before: wasIn[language], after: isIn[language] }))
  })
}

type ByLanguage = Readonly<Record<string, string | readonly string[]>>

/** Places in a picture are objects, too, of numbers. */
const isByLanguage = (value: unknown): value is ByLanguage =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.values(value).some((each) => typeof each === 'number')

/** Characters that are shown of a long text, and of those before what differs. */
const MOST = 80
const BEFORE = 20

/** Two texts, shortened to where they differ. */
export function shortened(one: string, other: string): [string, string] {
  const [letters, others] = [Array.from(one), Array.from(other)]
  const same = letters.findIndex((letter, index) => letter !== others[index])
  const start = Math.max(letters.length, others.length) > MOST && same > MOST / 2 ? same - BEFORE : 0
  const cut = (all: readonly string[]) =>
    `${start > 0 ? '…' : ''}${all
      .slice(start, start + MOST)
      .join('')
      .trim()}${all.length > start + MOST ? '…' : ''}`
  return [cut(letters), cut(others)]
}
