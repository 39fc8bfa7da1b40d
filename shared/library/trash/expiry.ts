import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import type { Actor } from '../actor.ts'
import { forEachDue, isDue } from '../due.ts'
import { type Placement, withoutPointers } from '../media/placement.ts'
import { changePointers, findPointer, unlessGone } from '../media/pointers.ts'
import { deletedNow } from '../tree/folder.ts'
import { changeTree } from '../tree/tree-store.ts'

interface Expiring {
  table: Table
  clock: Clock
  by: Actor
}

/**
 * Deletes what has lain in a trashcan for its time: reads only what is due. Any number of runs, also at the same time; what is left when
 * time is up is for the next run.
 * @param outOfTime asked before each entry; true stops
 * @throws AggregateError after all others are done
 */
export async function expireTrash(library: Expiring, outOfTime: () => boolean): Promise<void> {
  const { table, clock } = library
  await forEachDue(table, { kind: 'TRASH', now: clock.now() }, outOfTime, (entry) => expire(library, entry))
}

async function expire(library: Expiring, { pk, sk }: Key): Promise<void> {
  const id = Number(sk.slice('FOLDER#'.length))
  const [kind, owner] = pk.split('#')
  if (kind === 'COMPANY') await expireFolder(library, Number(owner), id)
  else await expirePointer(library, Number(owner), id)
}

/** The index lags: the folder may have been restored, or trashed anew, since. */
async function expireFolder({ table, clock }: Expiring, companyId: number, folderId: number): Promise<void> {
  await changeTree(table, clock, companyId, (tree) => {
    const folder = tree.get(folderId)
    if (!folder || !isDue(folder, clock.now())) return undefined
    return { put: [deletedNow(folder, clock.now())] }
  })
}

async function expirePointer(library: Expiring, mediaId: number, contents: number): Promise<void> {
  const plan = async (placement: Placement) => {
    // Read after the file: a change of the pointer changes the file, and then this runs again.
    const pointer = await findPointer(library, mediaId, contents)
    return pointer && isDue(pointer, library.clock.now()) ? withoutPointers(placement, new Set([contents])) : placement
  }
  await changePointers(library, mediaId, plan).catch(unlessGone)
}
