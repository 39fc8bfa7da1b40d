import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import { forEachDue, isDue } from '../due.ts'
import { NotFound } from '../errors.ts'
import { type PointerRecord, pointerKey } from '../media/media.ts'
import { withoutPointers } from '../media/placement.ts'
import { changePointers } from '../media/pointers.ts'
import { deletedNow } from '../tree/folder.ts'
import { changeTree } from '../tree/tree-store.ts'

interface Writing {
  table: Table
  clock: Clock
}

/**
 * Deletes what has lain in a trashcan for its time: reads only what is due. Any number of times, also at the same time; what is left when
 * time is up is for the next run.
 * @param outOfTime asked before each entry; true stops
 * @throws AggregateError after all others are done
 */
export async function expireTrash({ table, clock }: Writing, outOfTime: () => boolean): Promise<void> {
  await forEachDue(table, { kind: 'TRASH', now: clock.now() }, outOfTime, (entry) => expire({ table, clock }, entry))
}

async function expire(writing: Writing, { pk, sk }: Key): Promise<void> {
  const id = Number(sk.slice('FOLDER#'.length))
  const [kind, owner] = pk.split('#')
  if (kind === 'COMPANY') await expireFolder(writing, Number(owner), id)
  else await expirePointer(writing, Number(owner), id)
}

/** The index lags: the folder may have been restored, or trashed anew, since. */
async function expireFolder({ table, clock }: Writing, companyId: number, folderId: number): Promise<void> {
  await changeTree(table, clock, companyId, (tree) => {
    const folder = tree.get(folderId)
    if (!folder || !isDue(folder, clock.now())) return undefined
    return { put: [deletedNow(folder, clock.now())] }
  })
}

async function expirePointer({ table, clock }: Writing, mediaId: number, contents: number): Promise<void> {
  try {
    await changePointers({ table, clock }, mediaId, async (placement) => {
      // Read after the file: whoever changes the pointer changes the file, and then this runs again.
      const entry = await table.get<PointerRecord>(pointerKey(mediaId, contents))
      return entry && isDue(entry, clock.now()) ? withoutPointers(placement, new Set([contents])) : placement
    })
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}
