import { api, dataOf } from '../api/client.ts'
import { stepsByFolder } from '../bulk/by-folder.ts'
import { type BulkChange, type Chosen, selectionsOf } from '../bulk/calls.ts'
import { runBulk, type Step } from '../bulk/run.ts'
import { tree } from '../folders/tree.svelte.ts'
import { text } from '../language/language.svelte.ts'
import { downloadZip } from '../ui/download-zip.ts'
import { notices } from '../ui/notices.svelte.ts'
import { saveFrom } from '../ui/save.ts'
import { eachFile } from './each-file.ts'
import type { FileList } from './list.svelte.ts'

/** Downloads files one after the other. @param size as `800px`; the whole file where it is absent */
export async function download(ids: readonly number[], size?: string): Promise<void> {
  const { failed } = await eachFile(ids, async (id) => {
    const { url } = await (size
      ? dataOf(api.GET('/media/{id}/download_location/{size}', { params: { path: { id, size: size as never } } }))
      : dataOf(api.GET('/media/{id}/download_location', { params: { path: { id } } })))
    saveFrom(url)
  })
  tellFailures(failed)
}

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

/** Makes an archive of files and downloads it. @param folder that it is named by */
export async function zip(ids: readonly number[], folder: number | undefined): Promise<void> {
  const name = folder === undefined ? undefined : tree.get(folder)?.name
  await downloadZip(dataOf(api.POST('/zip-file', { body: { media_ids: [...ids], ...(name && { name }) } })))
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
