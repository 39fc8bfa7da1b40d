import type { TextFields } from '../file/merge.ts'
import type { BulkChange } from './calls.ts'

/**
 * The change that filled fields ask for; undefined where none is filled. Keywords come to those that files have.
 * @param removed keywords that are taken away, by language
 */
export function changeOf(fields: TextFields, removed: Record<string, string[]>): BulkChange | undefined {
  const title = filled(fields.title)
  const description = filled(fields.description)
  const add = filled(fields.keywords)
  const remove = filled(removed)
  const languages = new Set([...Object.keys(add), ...Object.keys(remove)])
  const keywords = [...languages].map((code) => [
    code,
    { ...(add[code] && { add: add[code] }), ...(remove[code] && { remove: remove[code] }) },
  ])
  const change: BulkChange = {
    ...(hasSome(title) && { title }),
    ...(hasSome(description) && { description }),
    ...(fields.byline && { byline: fields.byline }),
    ...(fields.copyright && { copyright: fields.copyright }),
    ...(fields.expiration && { expiration_date: fields.expiration }),
    ...(keywords.length > 0 && { keywords: Object.fromEntries(keywords) }),
  }
  return hasSome(change) ? change : undefined
}

const filled = <Value extends string | string[]>(values: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.length > 0))

const hasSome = (values: object): boolean => Object.keys(values).length > 0
