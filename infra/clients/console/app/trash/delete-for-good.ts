import { tellFailures } from '../files/actions.ts'
import { eachFile } from '../files/each-file.ts'
import type { FileList } from '../files/list.svelte.ts'
import { text } from '../language/language.svelte.ts'
import { dialogs } from '../ui/dialogs.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'
import { deleteFile } from './calls.ts'

/** Deletes the selected files of the trash, once the user says so. */
export function askToDelete(list: FileList, trashcan: number): void {
  void dialogs.open(() => import('../ui/Confirm.svelte'), {
    question: text.reallyDelete(list.selection.count),
    action: text.deleteForGood,
    onconfirm: () => void deleteSelected(list, trashcan),
  })
}

async function deleteSelected(list: FileList, trashcan: number): Promise<void> {
  const { done, failed } = await eachFile(list.selection.ids(), (id) => deleteFile(id, trashcan))
  list.remove(done)
  list.selection.clear()
  tellFailures(failed)
  if (done.size > 0) notices.tell(text.deleted(done.size))
}
