import type { Table } from '../../backends/table/port.ts'

/** Runs work once the last write is committed. Only a table that defers writes delays it. */
export async function afterCommit(table: Table, work: () => unknown): Promise<void> {
  if (table.afterCommit) await table.afterCommit(work)
  else await work()
}
