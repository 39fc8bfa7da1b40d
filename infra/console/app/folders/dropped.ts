import { move } from '../files/actions.ts'
import { currentList } from '../files/current-list.svelte.ts'
import { dragged } from '../files/dragged.ts'
import { notices } from '../ui/notices.svelte.ts'
import { drop } from '../uploads/start.ts'
import { tree } from './tree.svelte.ts'

/** Something was dropped on a folder: files or a folder of the library move there. */
export function onDropped({ dataTransfer }: DragEvent, folder: number): void {
  if (!dataTransfer) return
  if (dataTransfer.types.includes('Files')) {
    drop(dataTransfer, folder)
    return
  }
  const moved = Number(dataTransfer.getData('application/x-library-folder'))
  if (moved && moved !== folder) void tree.move(moved, folder).catch((error) => notices.fail(error))
  else if (dataTransfer.types.includes('application/x-library-files') && currentList.list) {
    const { chosen, folder: from } = dragged.files
    void move(currentList.list, chosen, folder, from)
  }
}
