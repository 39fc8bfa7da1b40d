import { text } from '../language/language.svelte.ts'
import { folderRights } from '../rights/folder-rights.svelte.ts'
import { dialogs } from '../ui/dialogs.svelte.ts'
import type { MenuItem } from '../ui/menu.ts'
import { notices } from '../ui/notices.svelte.ts'
import { trashWithUndo, zip } from './actions.ts'
import { tree } from './tree.svelte.ts'

/** Whether the user may do anything with a folder but look into it. */
export const hasMenu = (id: number): boolean => folderRights.offers('READ', id) || folderRights.offers('ADMIN', id)

/** What the user may do with a folder. @param inPlace what the tree does itself */
export function folderMenu(id: number, inPlace: { rename(id: number): void }): MenuItem[] {
  const isAdmin = folderRights.offers('ADMIN', id)
  const isReader = folderRights.offers('READ', id)
  const isAlterable = folderRights.isAlterable(id)
  const alter: MenuItem[] = [
    { label: text.rename, icon: 'edit', run: () => inPlace.rename(id) },
    { label: text.move, icon: 'move', run: () => void dialogs.open(() => import('./PickFolder.svelte'), moveOf(id)) },
  ]
  const share: MenuItem = {
    label: text.share,
    icon: 'share',
    run: () => void dialogs.open(() => import('../sharing/ShareFolder.svelte'), { id }),
  }
  const tags: MenuItem = { label: text.tags, icon: 'tag', run: () => void dialogs.open(() => import('./FolderTags.svelte'), { id }) }
  return [
    ...(isAlterable ? alter : []),
    ...(isAdmin || isReader ? [share] : []),
    ...(isAdmin ? [tags] : []),
    ...(isReader ? [{ label: text.zip, icon: 'zip', run: () => void zip(id) } as const] : []),
    ...(isAlterable ? [{ label: text.trash, icon: 'trash', begins: true, run: () => void trashWithUndo(id) } as const] : []),
  ]
}

/** Asks where to. */
const moveOf = (id: number) => ({
  title: text.moveFolder(tree.get(id)?.name ?? ''),
  action: text.move,
  right: 'ADMIN' as const,
  except: id,
  canBeTop: true,
  onpick: (parent: number | undefined) => void tree.move(id, parent).catch((error) => notices.fail(error)),
})
