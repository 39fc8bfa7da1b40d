import type { Key, Table } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import { everyItem } from '../pages.ts'

/** Items that are removed at a time. */
export const PARALLELISM = 16

/** Removes the items of a partition. @param but key of one that stays */
export async function removePartition({ table }: { table: Table }, pk: string, but?: Key): Promise<undefined> {
  const names = await Array.fromAsync(everyItem<Key>(table, { pk, consistent: true }), ({ sk }) => sk)
  const gone = names.filter((sk) => sk !== but?.sk)
  await inParallel(gone, PARALLELISM, (sk) => table.delete({ pk, sk }))
}
