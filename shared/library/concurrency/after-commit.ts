import type { Table } from '../../backends/table/port.ts'

/** Does what must not come before the last write is committed. */
export async function afterCommit(table: Table, work: () => unknown): Promise<void> {
  if (table.afterCommit) await table.afterCommit(work)
  else await work()
}
