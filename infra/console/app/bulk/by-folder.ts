import { api, dataOf } from '../api/client.ts'
import { slicesOf } from '../api/slices.ts'
import { MOST_ASKED } from '../files/calls.ts'
import { type BulkChange, type Chosen, selectionsOf } from './calls.ts'
import type { Step } from './run.ts'

/** Requests at a time. */
const PARALLEL = 4

/**
 * Steps that take files out of the folder that is shown; where several are shown, out of all that hold them.
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

/** Files by the folders that hold them, as far as the user may see those. */
async function holders(ids: readonly number[]): Promise<Map<number, Chosen>> {
  const byFolder = new Map<number, number[]>()
  const slices = slicesOf(ids, MOST_ASKED).values()
  const work = async () => {
    for (const slice of slices) {
      const query = { unique_media_id: slice.join('+'), return_values: 'unique_media_id+folder_ids', media_count: slice.length }
      const { response } = await dataOf(api.GET('/search', { params: { query: query as never } }))
      for (const { unique_media_id: id, folder_ids: folders = [] } of response.media)
        for (const folder of folders) {
          const those = byFolder.get(folder)
          if (those) those.push(id!)
          else byFolder.set(folder, [id!])
        }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return new Map([...byFolder].map(([folder, those]) => [folder, { ids: those }]))
}
