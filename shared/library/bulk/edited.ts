import { createHash } from 'node:crypto'
import type { LanguageKeywords } from '../../vocabulary/shown-media.ts'
import { editable } from '../media/edit.ts'
import { cleanKeywords, withKeywords, withoutKeywords } from '../media/languages.ts'
import type { EditableMetadata } from '../media/media.ts'
import type { BulkChange, KeywordChange } from './bulk.ts'

/** The new values of the fields that a bulk change alters. */
export function changedFields(media: EditableMetadata, change: BulkChange): Partial<EditableMetadata> {
  const { title, description, keywords, byline, copyright, expires, editorial } = change
  const wanted: Partial<EditableMetadata> = {
    ...(title && { title: withTexts(media.title, title) }),
    ...(description && { description: withTexts(media.description, description) }),
    ...(keywords && { keywords: withChanges(media.keywords, keywords) }),
    ...(byline !== undefined && { byline }),
    ...(copyright !== undefined && { copyright }),
    ...(expires !== undefined && { expires }),
    ...(editorial !== undefined && { editorial }),
  }
  const before = editable(media)
  const isOther = (field: string) => digestOf(wanted[field as keyof EditableMetadata]) !== digestOf(before[field as keyof EditableMetadata])
  return Object.fromEntries(Object.entries(wanted).filter(([field]) => isOther(field)))
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
