import type { Operations, Table } from '../../shared/backends/table/port.ts'
import { countingTable, newCount } from './counting-table.ts'

/** A table that does something before each transaction: what else happens at that moment. What it throws, the transaction throws. */
export function beforeTransactions(table: Table, before: (operations: Operations) => Promise<void>): Table {
  return {
    ...countingTable(table, newCount()),
    async transact(operations) {
      await before(operations)
      return table.transact(operations)
    },
  }
}
