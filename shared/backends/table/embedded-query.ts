import type { SQLInputValue } from 'node:sqlite'
import { decodeCursor, encodeCursor, type PageEnd } from './cursor.ts'
import { PAGE_BYTES, type TableDatabase } from './embedded-database.ts'
import { indexes } from './indexes.ts'
import type { Item, Page, Query } from './port.ts'
import { type SortRange, sortRange } from './range.ts'

/**
 * Reads one page. As in DynamoDB, a page that reaches its limit has a cursor even when no items follow, so callers get an empty last page
 * here too.
 */
export function queryPage(database: TableDatabase, query: Query): Page<Item> {
  const range = sortRange(query.sk)
  const start = query.cursor === undefined ? undefined : decodeCursor(query, query.cursor)
  if (!range) return { items: [] }
  const { sql, values } = select(query, range, start)
  const read = reader(query)
  const items: Item[] = []
  let bytes = 0
  for (const row of database.statement(sql).iterate(...values, query.limit ?? -1)) {
    const { item, size } = read(row as Row)
    items.push(item)
    bytes += size
    if (bytes >= PAGE_BYTES || items.length === query.limit) return { items, cursor: encodeCursor(query, pageEnd(query, row as Row)) }
  }
  return { items }
}

type Row = Record<string, string>

/** Statement and values of a query, without its limit. There are few different statements, so that they are reused. */
function select(query: Query, range: SortRange, start: PageEnd | undefined): { sql: string; values: SQLInputValue[] } {
  const index = query.index && indexes[query.index]
  const [pk, sk] = index ? [`"${index.pk}"`, `"${index.sk}"`] : ['pk', 'sk']
  const conditions = [`${pk} = ?`]
  const values: SQLInputValue[] = [query.pk.toWellFormed()]
  const require = (condition: string, ...bound: (string | undefined)[]) => {
    if (bound.includes(undefined)) return
    conditions.push(condition)
    values.push(...(bound as string[]))
  }
  if (index) conditions.push(`${sk} IS NOT NULL`)
  require(`${sk} >= ?`, range.from)
  require(`${sk} <= ?`, range.to)
  require(`${sk} < ?`, range.before)
  const past = query.descending ? '<' : '>'
  if (start && index) require(`(${sk}, pk, sk) ${past} (?, ?, ?)`, start.indexSk, start.pk, start.sk)
  else require(`sk ${past} ?`, start?.sk)
  const columns = index?.projection === 'keys' ? `pk, sk, ${pk}, ${sk}` : `pk, sk, ${index ? `${sk}, ` : ''}body`
  const direction = query.descending ? 'DESC' : 'ASC'
  const order = (index ? [sk, 'pk', 'sk'] : [sk]).map((column) => `${column} ${direction}`)
  const source = `items INDEXED BY "${query.index ?? 'items_key'}"`
  return { sql: `SELECT ${columns} FROM ${source} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ?`, values }
}

/** Makes an item of a row, with its approximate size in bytes. */
function reader(query: Query): (row: Row) => { item: Item; size: number } {
  const index = query.index && indexes[query.index]
  if (index?.projection !== 'keys') return (row) => ({ item: JSON.parse(row.body!), size: row.body!.length })
  return (row) => {
    const item = { ...row } as Item
    return { item, size: Object.values(row).reduce((size, value) => size + value.length, 0) }
  }
}

function pageEnd(query: Query, row: Row): PageEnd {
  return { pk: row.pk!, sk: row.sk!, ...(query.index && { indexSk: row[indexes[query.index].sk]! }) }
}
