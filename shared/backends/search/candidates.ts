import { createdFilter, documentFilters } from './filters.ts'
import type { Match } from './match.ts'
import type { SearchQuery } from './port.ts'
import type { Scope } from './scope.ts'
import { and, type Condition } from './sql.ts'
import type { Terms } from './terms.ts'

/** Which files a query finds, as the FROM and WHERE of a statement. */
export interface Candidates {
  /** The table that is walked first, in order of labels. */
  driver: 'words' | 'grams' | 'doc'
  /** The column that holds the label. */
  label: string
  from: string
  where: Condition
}

/** The fields in which a term must be: any, or title or keywords. */
type Fields = 'anywhere' | 'heading'

/**
 * Plans a query around the shortest list of its files: the full-text table of its required terms; else the labels listed by its other terms,
 * its ids or its folders; else all files. The other parts become conditions, with a `+` that keeps SQLite from walking them first.
 *
 * @param withDocuments whether the statement needs columns of `doc` (as `d`) for more than the filters
 */
export function candidates(
  query: SearchQuery,
  terms: Terms,
  scope: Exclude<Scope, 'nothing'>,
  fields: Fields,
  withDocuments = false,
): Candidates {
  const driver = terms.required.some(({ table }) => table === 'words') ? 'words' : terms.required.length > 0 ? 'grams' : 'doc'
  const label = driver === 'doc' ? 'd.label' : `${driver}.rowid`
  const filters = documentFilters(query)
  const lists = [...eitherLists(terms, fields), ...idList(query)]
  const conditions = driver === 'doc' ? [] : [fullText(driver, terms, fields)]
  for (const table of ['words', 'grams'] as const) {
    if (table !== driver) conditions.push(...fullTextLists(table, terms, fields, label))
  }
  if (scope !== 'everything') {
    if (driver === 'doc' && lists.length === 0 && scope.list) lists.push(scope.list)
    else conditions.push(scope.condition(label))
  }
  lists.forEach(({ sql, values }, n) => {
    const first = driver === 'doc' && n === 0
    conditions.push({ sql: `${first ? '' : '+'}${label} IN (${sql})`, values })
  })
  for (const { sql, values } of terms.excludedLabels) conditions.push({ sql: `+${label} NOT IN (${sql})`, values })
  conditions.push(...createdFilter(query, label), ...filters)
  const joined = withDocuments || filters.length > 0 ? ` CROSS JOIN doc d ON d.label = ${label}` : ''
  return { driver, label, from: driver === 'doc' ? 'doc d' : driver + joined, where: and(conditions) }
}

/** The condition with which a full-text table is walked. */
function fullText(table: 'words' | 'grams', terms: Terms, fields: Fields): Condition {
  const required = expressions(table, terms.required, fields).join(' AND ')
  const excluded = expressions(table, terms.excluded, 'anywhere').join(' OR ')
  return { sql: `${table} MATCH ?`, values: [excluded ? `(${required}) NOT (${excluded})` : required] }
}

/** The conditions for the terms of a full-text table that is not walked. */
function fullTextLists(table: 'words' | 'grams', terms: Terms, fields: Fields, label: string): Condition[] {
  if (expressions(table, terms.required, fields).length > 0) {
    const { sql, values } = fullText(table, terms, fields)
    return [{ sql: `+${label} IN (SELECT rowid FROM ${table} WHERE ${sql})`, values }]
  }
  const excluded = expressions(table, terms.excluded, 'anywhere')
  if (excluded.length === 0) return []
  return [{ sql: `+${label} NOT IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`, values: [excluded.join(' OR ')] }]
}

function expressions(table: 'words' | 'grams', matches: readonly Match[], fields: Fields): string[] {
  return matches.filter((match) => match.table === table).map((match) => `(${match[fields]})`)
}

function eitherLists(terms: Terms, fields: Fields): Condition[] {
  return terms.either.map(({ match, or }) => ({
    sql: `SELECT rowid FROM ${match.table} WHERE ${match.table} MATCH ? UNION ALL ${or.sql}`,
    values: [match[fields], ...or.values],
  }))
}

function idList({ mediaIds }: SearchQuery): Condition[] {
  if (!mediaIds) return []
  return [{ sql: 'SELECT label FROM doc WHERE media_id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(mediaIds)] }]
}
