import type { TableReader } from '../backends/table/port.ts'
import { perObject } from '../per-object.ts'

/** A value for each table, the same for what reads a table and what also collects writes to it. */
export function perTable<Value>(make: () => Value): (table: TableReader) => Value {
  const ofCommitted = perObject((_: TableReader) => make())
  return (table) => ofCommitted(table.origin ?? table)
}
