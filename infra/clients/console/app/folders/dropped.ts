import { move } from '../files/actions.ts'
import { currentList } from '../files/current-list.svelte.ts'
import { dragged } from '../files/dragged.ts'
import { folderRights } from '../rights/folder-rights.svelte.ts'
import { missing } from '../rights/refusal.ts'
import type { Right } from '../sharing/calls.ts'
import { notices } from '../ui/notices.svelte.ts'
import { drop } from '../uploads/start.ts'
import { tree } from './tree.svelte.ts'

const FOLDER = 'application/x-library-folder'
const FILES = 'application/x-library-files'

/** What somebody needs on a folder on which they drop something; undefined for what is taken by no folder. */
function neededFor({ types }: DataTransfer): Right | undefined {
  if (types.includes('Files')) return 'UPLOAD'
  if (types.includes(FOLDER)) return 'ADMIN'
  return types.includes(FILES) ? 'WRITE' : undefined
}

/** Whether a folder takes what is held over it. */
export function takes({ dataTransfer }: DragEvent, folder: number): boolean {
  const right = dataTransfer && neededFor(dataTransfer)
  return right !== null && right !== undefined && folderRights.has(right, folder) !== false
}

/** Something was dropped on a folder: files or a folder of the library move there. */
export function onDropped({ dataTransfer }: DragEvent, folder: number): void {
  const right = dataTransfer && neededFor(dataTransfer)
  if (!right) return
  if (folderRights.has(right, folder) === false) notices.fail(missing(right, [folder]))
  else if (right === 'UPLOAD') drop(dataTransfer, folder)
  else if (right === 'ADMIN') moveFolder(Number(dataTransfer.getData(FOLDER)), folder)
  else moveFiles(folder)
}

function moveFolder(moved: number, to: number): void {
  if (moved && moved !== to) void tree.move(moved, to).catch((error) => notices.fail(error))
}

function moveFiles(to: number): void {
  const { chosen, folder: from, refusal } = dragged.files
  if (!currentList.list) return
  if (refusal) notices.fail(refusal)
  else if (from !== to) void move(currentList.list, chosen, to, from)
}
