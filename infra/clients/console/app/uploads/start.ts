import { text } from '../language/language.svelte.ts'
import { folderRights } from '../rights/folder-rights.svelte.ts'
import { missing } from '../rights/refusal.ts'
import { router } from '../router.svelte.ts'
import { dialogs } from '../ui/dialogs.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'
import { chosen, dropped, type Gathered } from './batch.ts'
import { uploads } from './queue.svelte.ts'

/** Whether the user may upload to the folder that is shown; where none is, to any. */
export function canUpload(): boolean {
  const { route } = router.list
  return route.page === 'folder' ? folderRights.offers('UPLOAD', route.id) : (folderRights.hasSomewhere('UPLOAD') ?? folderRights.isKnown)
}

/** Uploads to the folder that is shown; where none is, asks for one. */
async function begin(gathered: Gathered | Promise<Gathered>, folder?: number): Promise<void> {
  try {
    const batch = await gathered
    if (batch.files.length + batch.folders.length === 0) return
    const { route } = router.list
    const target = folder ?? (route.page === 'folder' ? route.id : undefined)
    if (target !== undefined && folderRights.has('UPLOAD', target) === false) throw missing('UPLOAD', [target])
    if (target !== undefined) uploads.add(batch, target)
    else
      await dialogs.open(() => import('../folders/PickFolder.svelte'), {
        title: text.uploadTo(batch.files.length),
        action: text.upload,
        right: 'UPLOAD' as const,
        onpick: (picked: number | undefined) => picked !== undefined && uploads.add(batch, picked),
      })
  } catch (error) {
    notices.fail(error)
  }
}

/** Asks for files, or for a folder. */
export function choose(isFolder: boolean): void {
  const field = document.createElement('input')
  field.type = 'file'
  field.multiple = true
  field.webkitdirectory = isFolder
  field.onchange = () => void begin(chosen(field.files ?? []))
  field.click()
}

/** Takes files that were dropped. @param folder on which; absent: on the page */
export function drop(transfer: DataTransfer, folder?: number): void {
  void begin(dropped(transfer), folder)
}

/** Takes files that were pasted. Pictures from the clipboard all have one name. */
export function paste(transfer: DataTransfer): boolean {
  const files = [...transfer.files]
  if (files.length === 0) return false
  const stamp = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  const named = files.map((file) => (file.name === 'image.png' ? new File([file], `Pasted ${stamp}.png`, { type: file.type }) : file))
  void begin(chosen(named))
  return true
}
