import { createHash } from 'node:crypto'
import type { EditableField } from '../../vocabulary/editable-fields.ts'
import type { LanguageKeywords } from '../../vocabulary/shown-media.ts'
import { cleanKeywords, withKeywords, withoutKeywords } from '../media/languages.ts'
import type { EditableMetadata } from '../media/media.ts'
import type { BulkChange, KeywordChange } from './bulk.ts'

/** The new values of the fields that a bulk change alters. */
export function changedFields(media: EditableMetadata, { folders: _, ...change }: BulkChange): Partial<EditableMetadata> {
  const { title, description, keywords } = change
  const wanted: Partial<EditableMetadata> = {
    ...(change as Omit<typeof change, 'title' | 'description' | 'keywords'>),
    ...(title && { title: withTexts(media.title, title) }),
    ...(description && { description: withTexts(media.description, description) }),
    ...(keywords && { keywords: withChanges(media.keywords, keywords) }),
  }
  const isOther = (field: string) => digestOf(wanted[field as EditableField]) !== digestOf(media[field as EditableField])
  return Object.fromEntries(Object.entries(wanted).filter(([field, value]) => value !== undefined && isOther(field)))
}

/** Digest of a value, independent of the order of languages. */
export function digestOf(value: EditableMetadata[keyof EditableMetadata] | undefined): string {
  const isByLanguage = typeof value === 'object' && value !== null
  const ordered = isByLanguage ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value
  return createHash('sha256')
    .update(JSON.stringify([ordered]))
    .digest('base64url')
}

type Texts = EditableMetadata['title']

function withTexts(texts: Texts, changes: { readonly [language: string]: string | null }): Texts {
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
