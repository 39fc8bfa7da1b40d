import { days, filled, keywords, lines, type TextFields, texts } from '../file/fields.ts'
import type { BulkChange } from './calls.ts'

/** Keywords by field and language. */
export type Removed = Pick<TextFields, (typeof keywords)[number]>

/**
 * The change that filled fields ask for; undefined where none is filled. Keywords come to those that files have.
 * @param removed keywords that are taken away
 */
export function changeOf(fields: TextFields, removed: Removed): BulkChange | undefined {
  const changes = [
    ...texts.map((name) => [name, filled(fields[name])]),
    ...[...lines, ...days].map((name) => [name, fields[name]]),
    ...keywords.map((name) => [name, keywordChange(filled(fields[name]), filled(removed[name]))]),
    // Also of a text: it has a key for each character.
  ].filter(([, value]) => Object.keys(value!).length > 0)
  return changes.length > 0 ? Object.fromEntries(changes) : undefined
}

function keywordChange(add: Record<string, string[]>, remove: Record<string, string[]>) {
  const languages = new Set([...Object.keys(add), ...Object.keys(remove)])
  return Object.fromEntries(
    [...languages].map((code) => [code, { ...(add[code] && { add: add[code] }), ...(remove[code] && { remove: remove[code] }) }]),
  )
}
