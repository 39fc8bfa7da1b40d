import type { TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'

/** The ends of the changes that were asked for last, by company. */
const lastOfTables = new WeakMap<TableReader, Map<CompanyId, Promise<void>>>()

/**
 * Changes a company's tree when those that this process was asked for before have ended. Each begins with the version that another leaves, so of
 * those that begin together all but one would have to try again. Other processes may be faster all the same.
 */
export async function inTurn<T>(table: TableReader, companyId: CompanyId, change: () => Promise<T>): Promise<T> {
  const committed = table.origin ?? table
  const last = lastOfTables.get(committed) ?? new Map<CompanyId, Promise<void>>()
  lastOfTables.set(committed, last)
  const { promise: end, resolve: ended } = Promise.withResolvers<void>()
  const before = last.get(companyId)
  last.set(companyId, end)
  await before
  try {
    return await change()
  } finally {
    if (last.get(companyId) === end) last.delete(companyId)
    ended()
  }
}
