import { stepsByFolder } from '../bulk/by-folder.ts'
import { type BulkChange, type Chosen, selectionsOf } from '../bulk/calls.ts'
import { runBulk, type Step } from '../bulk/run.ts'
import { text } from '../language/language.svelte.ts'
import { notices } from '../ui/notices.svelte.ts'
import type { FileList } from './list.svelte.ts'

/** Changes metadata of files. */
export async function edit(list: FileList, chosen: Chosen, change: BulkChange): Promise<void> {
  const steps = selectionsOf(chosen).map((select) => ({ select, change }))
  list.selection.clear()
  await runBulk(list, steps, text.changed)
}

/** Moves files to a folder: from one, or from all that hold them where none is named. */
export async function move(list: FileList, chosen: Chosen, to: number, from?: number): Promise<void> {
  const steps = await found(
    stepsByFolder(chosen, from, (holder) => (holder === to ? undefined : { folders: { move: { from: holder, to } } })),
  )
  list.selection.clear()
  if (from !== undefined) list.remove(new Set(chosen.ids))
  await runBulk(list, steps, text.moved, chosen.ids.length)
}

export async function copy(list: FileList, chosen: Chosen, to: number): Promise<void> {
  const steps = selectionsOf(chosen).map((select) => ({ select, change: { folders: { add: to } } }))
  list.selection.clear()
  await runBulk(list, steps, text.copied)
}

/** Moves files to the trash. @param folder that they are taken from; absent: all that hold them @returns those that were refused */
export async function trash(list: FileList, chosen: Chosen, folder: number | undefined): Promise<ReadonlySet<number>> {
  const steps = await found(stepsByFolder(chosen, folder, (holder) => ({ folders: { trash: { from: holder } } })))
  list.selection.clear()
  list.remove(new Set(chosen.ids))
  return runBulk(list, steps, text.trashed, chosen.ids.length)
}

async function found(steps: Promise<Step[]>): Promise<Step[]> {
  try {
    return await steps
  } catch (error) {
    notices.fail(error)
    return []
  }
}

export function tellFailures(failed: ReadonlyMap<number, unknown>): void {
  const [first] = failed.values()
  if (first !== undefined) notices.fail(failed.size === 1 ? first : new Error(text.someFailed(failed.size)))
}
