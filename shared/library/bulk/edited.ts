import { createHash } from 'node:crypto'
import { entriesIn, fieldValue } from '../../vocabulary/editable-fields.ts'
import type { FieldKind, FieldValues, LanguageKeywords, LanguageText } from '../../vocabulary/field-values.ts'
import { cleanKeywords, withKeywords, withoutKeywords } from '../media/languages.ts'
import type { EditableMetadata } from '../media/media.ts'
import type { BulkChange, FieldChanges, KeywordChange } from './bulk.ts'

/** What a change makes of a value, by kinds of fields. */
const changed: { [Kind in FieldKind]: (value: FieldValues[Kind], change: FieldChanges[Kind]) => FieldValues[Kind] } = {
  texts: withTexts,
  keywords: withChanges,
  line: replaced,
  day: replaced,
  flag: replaced,
  point: replaced,
}

/** The new values of the fields that a bulk change alters. */
export function changedFields(media: EditableMetadata, change: BulkChange): Partial<EditableMetadata> {
  const fields = entriesIn('bulk').flatMap(({ field, is }) => {
    if (change[field] === undefined) return []
    const before = fieldValue(media, field)
    const after = changed[is](before as never, change[field] as never)
    return digestOf(after) === digestOf(before) ? [] : [[field, after]]
  })
  return Object.fromEntries(fields)
}

function replaced<Value>(_: Value, value: Value): Value {
  return value
}

/** Digest of a value, independent of the order of languages. */
export function digestOf(value: EditableMetadata[keyof EditableMetadata] | undefined): string {
  const isByLanguage = typeof value === 'object' && value !== null
  const ordered = isByLanguage ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value
  return createHash('sha256')
    .update(JSON.stringify([ordered]))
    .digest('base64url')
}

function withTexts(texts: LanguageText, changes: FieldChanges['texts']): LanguageText {
  return Object.fromEntries(Object.entries({ ...texts, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null))
}

function withChanges(keywords: LanguageKeywords, changes: { readonly [language: string]: KeywordChange }): LanguageKeywords {
  let changed = keywords
  for (const [language, { add = [], remove = [], replace }] of Object.entries(changes)) {
    if (replace) changed = { ...changed, [language]: replace }
    else changed = withKeywords(withoutKeywords(changed, { [language]: remove }), { [language]: add })
  }
  return cleanKeywords(changed)
}
