import type { Operations, Table } from '../../shared/backends/table/port.ts'
import { countingTable, newCount } from './counting-table.ts'

/** A table that runs a function before each transaction, as a faster process would. What the function throws, the transaction throws. */
export function beforeTransactions(table: Table, before: (operations: Operations) => Promise<void>): Table {
  return {
    ...countingTable(table, newCount()),
    async transact(operations) {
      await before(operations)
      return table.transact(operations)
    },
  }
}
