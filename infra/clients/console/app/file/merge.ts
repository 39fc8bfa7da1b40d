import { byLanguage, type Fields, filled, keywords, type LanguageFields } from './fields.ts'

/** A value that changes as a whole: a field, or of those by language one language of it. */
export interface Unit {
  field: keyof Fields
  language?: string
}

/** A value that two people changed, each in another way. */
export interface Conflict extends Unit {
  theirs: string | string[] | boolean
}

/** Whether a form has anything that differs. */
export const isOther = (before: Fields, after: Fields): boolean => unitsOf(before, after).some((unit) => differs(unit, before, after))

/**
 * Puts together what two people made of the same fields. Where both changed a value, mine stays in it.
 * @param before what both began with
 */
export function merged(before: Fields, mine: Fields, theirs: Fields): { fields: Fields; conflicts: Conflict[] } {
  const fields = structuredClone(theirs)
  const conflicts: Conflict[] = []
  for (const unit of unitsOf(before, mine, theirs)) {
    if (!differs(unit, before, mine)) continue
    put(fields, unit, unitValue(mine, unit))
    if (differs(unit, before, theirs) && differs(unit, mine, theirs)) conflicts.push({ ...unit, theirs: unitValue(theirs, unit) })
  }
  return { fields, conflicts }
}

/** Sets a value. An empty one of a language takes it away. */
export function put(fields: Fields, { field, language }: Unit, value: Conflict['theirs']): void {
  if (language === undefined) Object.assign(fields, { [field]: value })
  else if (isEmpty(value)) delete (fields[field] as Record<string, unknown>)[language]
  else (fields[field] as Record<string, unknown>)[language] = value
}

const isEmpty = (value: Conflict['theirs']): boolean => value === '' || (Array.isArray(value) && value.length === 0)

/** All values that some forms have, each once. */
function unitsOf(...forms: readonly Fields[]): Unit[] {
  const [first] = forms
  return (Object.keys(first!) as (keyof Fields)[]).flatMap((field) => {
    if (typeof first![field] !== 'object') return { field }
    const languages = new Set(forms.flatMap((form) => Object.keys(form[field])))
    return [...languages].map((language) => ({ field, language }))
  })
}

/** @returns empty text or no keywords where a language has none */
export function unitValue(fields: Fields, { field, language }: Unit): Conflict['theirs'] {
  const value = fields[field]
  if (typeof value !== 'object') return value
  return value[language ?? ''] ?? (keywords.some((name) => name === field) ? [] : '')
}

const differs = (unit: Unit, one: Fields, other: Fields): boolean =>
  JSON.stringify(unitValue(one, unit)) !== JSON.stringify(unitValue(other, unit))

/** Languages in which something is written, in the order of their codes. */
export function languagesOf(fields: LanguageFields): string[] {
  return [...new Set(byLanguage.flatMap((name) => Object.keys(filled<string | string[]>(fields[name]))))].sort()
}
