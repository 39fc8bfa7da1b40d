import { api, dataOf } from '../api/client.ts'
import { text } from '../language/language.svelte.ts'
import { trashcans } from '../trash/calls.ts'
import { notices } from '../ui/notices.svelte.ts'
import { saveFrom } from '../ui/save.ts'
import { eachFile } from './each-file.ts'
import type { FileList } from './list.svelte.ts'

const path = (id: number) => ({ path: { id } })

/** Downloads files one after the other. @param size as `800px`; the whole file where it is absent */
export async function download(ids: readonly number[], size?: string): Promise<void> {
  const { failed } = await eachFile(ids, async (id) => {
    const { url } = await (size
      ? dataOf(api.GET('/media/{id}/download_location/{size}', { params: { path: { id, size: size as never } } }))
      : dataOf(api.GET('/media/{id}/download_location', { params: path(id) })))
    saveFrom(url)
  })
  tellFailures(failed)
}

/** Folders that hold a file and that the user may see. */
async function foldersOf(id: number): Promise<number[]> {
  return (await dataOf(api.GET('/media/{id}/folders', { params: path(id) }))).map(({ group_id }) => group_id)
}

const moveFile = (id: number, from: number, to: number) => dataOf(api.POST('/media/{id}/move', { params: path(id), body: { from, to } }))

/** Moves files to a folder: from one, or from all that hold them where none is named. */
export async function move(list: FileList, ids: readonly number[], to: number, from?: number): Promise<void> {
  const { failed, done } = await eachFile(ids, async (id) => {
    for (const holder of from === undefined ? await foldersOf(id) : [from]) if (holder !== to) await moveFile(id, holder, to)
  })
  if (from !== undefined) list.remove(done)
  list.selection.clear()
  tellFailures(failed)
  if (done.size > 0) notices.tell(text.moved(done.size))
}

export async function copy(list: FileList, ids: readonly number[], to: number): Promise<void> {
  const { failed, done } = await eachFile(ids, (id) =>
    dataOf(api.POST('/media/{id}/folder/{folderId}', { params: { path: { id, folderId: to } } })),
  )
  list.selection.clear()
  tellFailures(failed)
  if (done.size > 0) notices.tell(text.copied(done.size))
}

/** Moves the selected files to the trash, and back where somebody takes that back. @param folder that they are taken from */
export async function trashSelected(list: FileList, folder: number | undefined): Promise<void> {
  await trashFiles(list, list.selection.ids(), folder)
  list.selection.clear()
}

/** @returns those that are in the trash now */
export async function trashFiles(list: FileList, ids: readonly number[], folder: number | undefined): Promise<ReadonlySet<number>> {
  const origins = new Map<number, number[]>()
  const { failed, done } = await eachFile(ids, async (id) => {
    const holders = folder === undefined ? await foldersOf(id) : [folder]
    for (const holder of holders)
      await dataOf(api.POST('/media/{id}/folder/{folderId}/move_to_trash', { params: { path: { id, folderId: holder } } }))
    origins.set(id, holders)
  })
  list.remove(done)
  tellFailures(failed)
  if (done.size > 0) notices.tell(text.trashed(done.size), { label: text.undo, run: () => void takeBack(list, origins) })
  return done
}

async function takeBack(list: FileList, origins: ReadonlyMap<number, readonly number[]>): Promise<void> {
  const { failed } = await eachFile([...origins.keys()], async (id) => {
    const [trash] = await trashcans()
    for (const holder of origins.get(id) ?? []) if (trash !== undefined) await moveFile(id, trash, holder)
  })
  tellFailures(failed)
  await list.load()
}

export function tellFailures(failed: ReadonlyMap<number, unknown>): void {
  const [first] = failed.values()
  if (first !== undefined) notices.fail(failed.size === 1 ? first : new Error(text.someFailed(failed.size)))
}
