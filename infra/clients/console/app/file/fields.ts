import { type FieldEntry, fieldEntries } from '../../../../../shared/vocabulary/editable-fields.ts'
import type { FieldKind } from '../../../../../shared/vocabulary/field-values.ts'
import type { Schemas } from '../../../client/client.ts'

type Of<Kind extends FieldKind, Value> = { [Name in FieldEntry<Kind>['name']]: Value }

/** Fields with a value in each language. */
export type LanguageFields = Of<'texts', Record<string, string>> & Of<'keywords', Record<string, string[]>>
/** Those that can be edited of many files at once. What is empty is an empty text. */
export type TextFields = LanguageFields & Of<'line' | 'day', string>
/** The editable fields of a file, as its form has them. Points are set on the picture. */
export type Fields = TextFields & Of<'flag', boolean>

/** Fields of some kinds by their names in the interface, in the order of the table. */
export const namesOf = <Kind extends FieldKind>(...kinds: Kind[]): FieldEntry<Kind>['name'][] =>
  fieldEntries.filter((entry): entry is FieldEntry<Kind> => kinds.some((kind) => kind === entry.is)).map(({ name }) => name)

export const allNames = fieldEntries.map(({ name }) => name)
/** In the order of forms. */
export const [texts, keywords, lines, days, flags] = [
  namesOf('texts'),
  namesOf('keywords'),
  namesOf('line'),
  namesOf('day'),
  namesOf('flag'),
]
export const byLanguage = [...texts, ...keywords]

/** What forms of many files begin with. */
export const noTexts = (): TextFields =>
  Object.fromEntries([...byLanguage.map((name) => [name, {}]), ...[...lines, ...days].map((name) => [name, ''])])

/** The fields of a document. */
export function fieldsOf({ metadata, ...document }: Schemas['Media']): Fields {
  const values: Record<string, unknown> = { ...document, ...metadata }
  const copies = [...byLanguage, ...lines, ...days, ...flags].map((name) => [name, structuredClone(values[name] ?? '')])
  return Object.fromEntries(copies)
}

/** Without the empty texts that fields of other languages leave. */
export function bodyOf(fields: Fields): Schemas['MetadataInput'] {
  const values = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'object' ? filled<string | string[]>(value) : value === '' ? null : value,
  ])
  return Object.fromEntries(values)
}

/** The languages in which something is said. */
export const filled = <Value extends string | string[]>(values: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.length > 0))
