import type { SQLInputValue } from 'node:sqlite'

/** A piece of SQL with the values of its parameters, in order. */
export interface Condition {
  sql: string
  values: SQLInputValue[]
}

/** All of them hold. */
export function and(conditions: readonly Condition[]): Condition {
  return { sql: conditions.map(({ sql }) => sql).join(' AND ') || 'TRUE', values: conditions.flatMap(({ values }) => values) }
}
