import { type Changes, type Condition, ConditionFailed, type Table } from '../../backends/table/port.ts'
import { mediaKey } from '../media/media.ts'

/** Tells how far an import is, in percent. It never goes back: a slower delivery of the same import is not heard. */
export async function reportProgress(table: Table, mediaId: number, progress: number): Promise<void> {
  await whileImporting(table, mediaId, { set: { progress } }, { progress: { below: progress } })
}

/**
 * Looks at a file with tools, on record: what is left of the record when the process dies tells the next delivery that the file is deadly.
 * A look that ends, well or with an error, takes it back.
 */
export async function countingLook<T>(table: Table, mediaId: number, look: () => Promise<T>): Promise<T> {
  await whileImporting(table, mediaId, { add: { looks: 1 } })
  try {
    return await look()
  } finally {
    await whileImporting(table, mediaId, { add: { looks: -1 } })
  }
}

/** Marks a file whose import failed to the last: progress stays, and an operator finds it among the dead letters. */
export async function markDelayed(table: Table, mediaId: number): Promise<void> {
  await whileImporting(table, mediaId, { set: { delayed: true } })
}

/** A condition that fails says that the import is done, or further, or that the file is gone: nothing to do. */
async function whileImporting(table: Table, mediaId: number, changes: Changes, condition: Condition = {}): Promise<void> {
  try {
    await table.update(mediaKey(mediaId), changes, { state: { equals: 'importing' }, ...condition })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}
