import { slicesOf } from '../api/slices.ts'
import { foldersHolding, MOST_ASKED } from '../files/calls.ts'
import { folderRights } from '../rights/folder-rights.svelte.ts'
import { type BulkChange, type Chosen, selectionsOf } from './calls.ts'
import type { Step } from './run.ts'

/** Requests at a time. */
const PARALLEL = 4

/**
 * Steps that take files out of the folder that is shown; where several are shown, out of all that hold them, as far as the
 * user may.
 * @param change of those in a folder
 */
export async function stepsByFolder(
  chosen: Chosen,
  folder: number | undefined,
  change: (folder: number) => BulkChange | undefined,
): Promise<Step[]> {
  const held = folder === undefined ? await holders(chosen.ids) : new Map([[folder, chosen]])
  return [...held].flatMap(([id, those]) => {
    const wanted = change(id)
    return wanted ? selectionsOf(those).map((select) => ({ select, change: wanted })) : []
  })
}

/** Files by the folders that hold them, of those that the user may take them out of. */
async function holders(ids: readonly number[]): Promise<Map<number, Chosen>> {
  const byFolder = new Map<number, number[]>()
  const slices = slicesOf(ids, MOST_ASKED).values()
  const work = async () => {
    for (const slice of slices)
      for (const [id, folders] of await foldersHolding(slice))
        for (const folder of folders) {
          if (folderRights.has('WRITE', folder) === false) continue
          const those = byFolder.get(folder)
          if (those) those.push(id)
          else byFolder.set(folder, [id])
        }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return new Map([...byFolder].map(([folder, those]) => [folder, { ids: those }]))
}
