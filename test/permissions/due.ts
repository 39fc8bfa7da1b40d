import { type DueKind, dueKeys, dueTime } from '../../shared/library/due.ts'
import { everyItem } from '../../shared/library/pages.ts'
import type { World } from '../support/successes.ts'

/** Lets the time of all records of a kind come. */
export async function makeDue({ table }: World['accounts'], kind: DueKind): Promise<void> {
  for (const pk of dueKeys(kind)) {
    for await (const { pk: partition, sk } of everyItem(table, { index: 'trashDue', pk })) {
      await table.update({ pk: partition, sk }, { set: { dueAt: dueTime(0) } })
    }
  }
}
