import { text } from '../language/language.svelte.ts'
import { dialogs } from '../ui/dialogs.svelte.ts'
import type { MenuItem } from '../ui/menu.ts'
import { notices } from '../ui/notices.svelte.ts'
import { trashWithUndo, zip } from './actions.ts'
import { tree } from './tree.svelte.ts'

/** What can be done with a folder. @param inPlace what the tree does itself */
export function folderMenu(id: number, inPlace: { rename(id: number): void }): MenuItem[] {
  return [
    { label: text.rename, icon: 'edit', run: () => inPlace.rename(id) },
    { label: text.move, icon: 'move', run: () => void dialogs.open(() => import('./PickFolder.svelte'), moveOf(id)) },
    { label: text.share, icon: 'share', run: () => void dialogs.open(() => import('../sharing/ShareFolder.svelte'), { id }) },
    { label: text.tags, icon: 'tag', run: () => void dialogs.open(() => import('./FolderTags.svelte'), { id }) },
    { label: text.zip, icon: 'zip', run: () => void zip(id) },
    { label: text.trash, icon: 'trash', begins: true, run: () => void trashWithUndo(id) },
  ]
}

/** Asks where to. */
const moveOf = (id: number) => ({
  title: text.moveFolder(tree.get(id)?.name ?? ''),
  action: text.move,
  except: id,
  canBeTop: true,
  onpick: (parent: number | undefined) => void tree.move(id, parent).catch((error) => notices.fail(error)),
})
