import { allNames, days } from '../file/fields.ts'
import { day, languageName, orList } from '../language/format.ts'
import { text } from '../language/language.svelte.ts'
import type { Change } from './calls.ts'
import { type Difference, differencesOf, shortened, type Value } from './differences.ts'

/** The names of fields, as forms have them. */
function fieldName(field: string): string {
  if (field === 'file') return text.file
  const known = allNames.find((name) => name === field)
  return known === undefined ? field : text[known]
}

/** What a step changed, a line for each difference. */
export function linesOf(change: Change): string[] {
  const { kind, before, after } = change
  if (kind === 'file') {
    const [was, is] = [before.file_number, after.file_number ?? change.file_number]
    return [was && is ? text.wasAndIs(text.file, text.versionInText(was), text.versionInText(is)) : text.wasChanged(text.file)]
  }
  return differencesOf(change).map((difference) => lineOf(difference, Object.keys(after).length + Object.keys(before).length > 0))
}

function lineOf({ field, language, before, after }: Difference, isTold: boolean): string {
  const name = language === undefined || language === 'en' ? fieldName(field) : `${fieldName(field)} (${languageName(language)})`
  if (!isTold) return text.wasChanged(name)
  const [was, is] = shortened(shown(before, field), shown(after, field))
  return text.wasAndIs(name, was || text.nothing, is || text.nothing)
}

/** A value in words; empty where there is none. */
function shown(value: Value, field: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (typeof value === 'string') return days.some((name) => name === field) && value ? day(value) : value
  if ('x' in value) return [value.x, value.y].map((part) => text.percent(Math.round(part * 1000) / 10)).join(', ')
  return value.join(', ')
}

/** Names of fields, for a sentence. */
export const fieldNames = (fields: readonly string[]): string => orList(fields.map(fieldName))
