import { trashFiles } from '../files/actions.ts'
import { currentList } from '../files/current-list.svelte.ts'
import { router } from '../router.svelte.ts'

/** Moves the file that is looked at to the trash. @returns whether it is there now */
export async function trashOpened(id: number): Promise<boolean> {
  const { list } = currentList
  if (!list) return false
  const { route } = router.list
  const done = await trashFiles(list, [id], route.page === 'folder' && !list.parameters.recursive ? route.id : undefined)
  return done.has(id)
}
