import { createdFilter, documentFilters } from './filters.ts'
import type { IndexFile } from './index-file.ts'
import type { Expressions } from './index-text.ts'
import { type FullText, type Match, matchOfKinds } from './match.ts'
import type { SearchQuery } from './port.ts'
import type { Scope } from './scope.ts'
import { and, type Condition } from './sql.ts'
import type { Terms } from './terms.ts'

/** Which files a query finds, as the FROM and WHERE of a statement. */
export interface Candidates {
  /** The table that is walked first, in order of labels. */
  driver: FullText | 'doc'
  /** The column that holds the label. */
  label: string
  from: string
  where: Condition
  /** The only condition, where that is a single term. */
  alone?: Match
}

/** The fields in which a term must be: any, or title or keywords. */
type Fields = keyof Expressions

/**
 * Plans a query around the shortest list of its files: a full-text table by its required terms; else the labels listed by its other terms, its
 * ids or its folders; else all files. The other parts become conditions, with a `+` that keeps SQLite from walking them first.
 *
 * @param withDocuments whether the statement needs columns of `doc` (as `d`) for more than the filters
 */
export function candidates(
  index: IndexFile,
  query: SearchQuery,
  wanted: Terms,
  scope: Exclude<Scope, 'nothing'>,
  fields: Fields,
  withDocuments = false,
): Candidates {
  const kinds = kindsAsTerm(query, wanted)
  const terms = kinds ? { ...wanted, required: [...wanted.required, kinds] } : wanted
  const driver = driverOf(terms)
  const label = driver === 'doc' ? 'd.label' : `${driver}.rowid`
  const filters = documentFilters(query, kinds !== undefined)
  const lists = [...eitherLists(terms, fields), ...idList(query)]
  const conditions = fullTextConditions(driver, label, terms, fields)
  if (scope !== 'everything') {
    if (driver === 'doc' && lists.length === 0 && scope.list) lists.push(scope.list)
    else conditions.push(scope.condition(label))
  }
  lists.forEach(({ sql, values }, n) => {
    const first = driver === 'doc' && n === 0
    conditions.push({ sql: `${first ? '' : '+'}${label} IN (${sql})`, values })
  })
  for (const { sql, values } of terms.excludedLabels) conditions.push({ sql: `+${label} NOT IN (${sql})`, values })
  conditions.push(...createdFilter(index, query, label), ...filters)
  const joined = withDocuments || filters.length > 0 ? ` CROSS JOIN doc d ON d.label = ${label}` : ''
  const from = driver === 'doc' ? 'doc d' : driver + joined
  const isAlone = fields === 'anywhere' && conditions.length === 1 && terms.required.length === 1 && terms.excluded.length === 0
  return { driver, label, from, where: and(conditions), ...(isAlone && { alone: terms.required[0] }) }
}

/** The kinds of files as one more term, so that no row of `doc` is read for each match. */
function kindsAsTerm({ kinds = [] }: SearchQuery, { required }: Terms): Match | undefined {
  return required.length > 0 && kinds.length > 0 ? matchOfKinds(kinds) : undefined
}

/** `texts` where it finds all required terms and one of them faster; else `terms` where it finds all. */
function driverOf({ required }: Terms): Candidates['driver'] {
  if (required.length === 0) return 'doc'
  const [byTerms, byTexts] = (['terms', 'texts'] as const).map((table) => required.every((match) => inTable(table, match)))
  const isFasterByTexts = byTexts && required.some(({ faster }) => faster === 'texts')
  return byTerms && !isFasterByTexts ? 'terms' : 'texts'
}

/** The expressions of a match in a table that is to find it. */
function inTable(table: FullText, { listed, positioned, isShort }: Match): Expressions | undefined {
  if (table === 'terms') return listed
  return isShort ? undefined : positioned
}

/** The conditions for required and excluded terms. First come those of the driver, then those that only the other table finds. */
function fullTextConditions(driver: Candidates['driver'], label: string, { required, excluded }: Terms, fields: Fields): Condition[] {
  const conditions: Condition[] = []
  const unfit = (table: FullText, matches: readonly Match[]) => matches.filter((match) => !inTable(table, match))
  if (driver !== 'doc') conditions.push(found(driver, required, excluded, fields))
  // All terms of the other table, not only the remaining ones, because together they have fewer files.
  if (driver === 'texts' && unfit('texts', required).length > 0) {
    const { sql, values } = found('terms', required, [], fields)
    conditions.push({ sql: `+${label} IN (SELECT rowid FROM terms WHERE ${sql})`, values })
  }
  const left = driver === 'doc' ? excluded : unfit(driver, excluded)
  for (const table of ['terms', 'texts'] as const) {
    const matches = left.filter(({ faster }) => faster === table)
    if (matches.length === 0) continue
    const any = expressions(table, matches, 'anywhere').join(' OR ')
    conditions.push({ sql: `+${label} NOT IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`, values: [any] })
  }
  return conditions
}

/** The condition with which a full-text table finds the terms that it has. */
function found(table: FullText, required: readonly Match[], excluded: readonly Match[], fields: Fields): Condition {
  const all = expressions(table, required, fields).join(' AND ')
  const none = expressions(table, excluded, 'anywhere').join(' OR ')
  return { sql: `${table} MATCH ?`, values: [none ? `(${all}) NOT (${none})` : all] }
}

function expressions(table: FullText, matches: readonly Match[], fields: Fields): string[] {
  return matches.flatMap((match) => inTable(table, match) ?? []).map((expression) => `(${expression[fields]})`)
}

function eitherLists(terms: Terms, fields: Fields): Condition[] {
  return terms.either.map(({ match, or }) => {
    const table = match.faster
    return {
      sql: `SELECT rowid FROM ${table} WHERE ${table} MATCH ? UNION ALL ${or.sql}`,
      values: [...expressions(table, [match], fields), ...or.values],
    }
  })
}

function idList({ mediaIds }: SearchQuery): Condition[] {
  if (!mediaIds) return []
  return [{ sql: 'SELECT label FROM doc WHERE media_id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(mediaIds)] }]
}
