import type { Key, Table } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import { everyItem } from '../pages.ts'

/** Items that are removed in parallel. */
export const PARALLELISM = 16

/** Removes the items of a partition. @param except key of an item that stays */
export async function removePartition({ table }: { table: Table }, pk: string, except?: Key): Promise<undefined> {
  const names = await Array.fromAsync(everyItem<Key>(table, { pk, consistent: true }), ({ sk }) => sk)
  const gone = names.filter((sk) => sk !== except?.sk)
  await inParallel(gone, PARALLELISM, (sk) => table.delete({ pk, sk }))
}
