import { api, dataOf } from '../api/client.ts'
import { text } from '../language/language.svelte.ts'
import { addressOf, router } from '../router.svelte.ts'
import { restoreFolder } from '../trash/calls.ts'
import { downloadZip } from '../ui/download-zip.ts'
import { notices } from '../ui/notices.svelte.ts'
import { trashFolder } from './calls.ts'
import { tree } from './tree.svelte.ts'

/** Makes an archive of a folder and downloads it. */
export async function zip(id: number): Promise<void> {
  await downloadZip(dataOf(api.POST('/folder/{id}/zip-file', { params: { path: { id } } })))
}

/** Moves a folder to the trash, and back where somebody takes that back. */
export async function trashWithUndo(id: number): Promise<void> {
  const folder = tree.get(id)
  const parent = folder?.parent ?? undefined
  try {
    await trashFolder(id)
    const { route } = router.list
    if (route.page === 'folder' && route.id === id) router.go(addressOf(parent === undefined ? '' : `folder/${parent}`))
    await tree.refresh(parent)
    notices.tell(text.folderTrashed(folder?.name ?? ''), {
      label: text.undo,
      run: () => void takeBack(id).catch((error) => notices.fail(error)),
    })
  } catch (error) {
    notices.fail(error)
  }
}

async function takeBack(id: number): Promise<void> {
  const { folder_id: parent } = await restoreFolder(id)
  await tree.refresh(parent ?? undefined)
}
