import type { TableReader } from '../backends/table/port.ts'
import { perObject } from '../per-object.ts'

/** A value per table. A table that defers writes shares the value of the table that it writes to. */
export function perTable<Value>(make: () => Value): (table: TableReader) => Value {
  const ofCommitted = perObject((_: TableReader) => make())
  return (table) => ofCommitted(table.origin ?? table)
}
