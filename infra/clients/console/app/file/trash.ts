import { trash } from '../files/actions.ts'
import { currentList } from '../files/current-list.svelte.ts'
import { router } from '../router.svelte.ts'

/** Moves the file that is looked at to the trash. It leaves the list at once, and comes back where that is refused. */
export async function trashOpened(id: number): Promise<void> {
  const { list } = currentList
  if (!list) return
  const { route } = router.list
  await trash(list, { ids: [id] }, route.page === 'folder' && !list.parameters.recursive ? route.id : undefined)
}
