import { api, dataOf, type Schemas } from '../api/client.ts'
import { slicesOf } from '../api/slices.ts'
import { pictureOf } from '../files/picture-of.ts'
import { session } from '../session.svelte.ts'

export type ListedFolder = Schemas['ListedFolder']

/** Folders that lie directly in one; without it the topmost that the user has a right on. */
export async function childrenOf(parent: number | undefined): Promise<ListedFolder[]> {
  return dataOf(api.GET('/folder', { params: { query: { parent: String(parent ?? 0), sort_by: 'name' } } }))
}

/** All folders of the user's companies on which they have a right, but for the trash. */
export async function allFolders(): Promise<ListedFolder[]> {
  const lists = await Promise.all(
    (session.user?.company_ids ?? []).map((company) =>
      dataOf(api.GET('/folder', { params: { query: { company_id: company, exclude_per_user_system_folders: true } } })),
    ),
  )
  return lists.flat()
}

/** Ids and names from the topmost folder that the user may see to the folder itself. */
export async function pathOf(id: number): Promise<{ id: number; name: string }[]> {
  return (await dataOf(api.GET('/folder/{id}/path', { params: { path: { id } } }))).path
}

/** Of what is in a folder and below it. */
export interface FolderContents {
  /** Files, each once. */
  count: number
  /** Address of a picture of one of them. */
  cover: string | undefined
}

/** Files of which one is looked for that has a picture. */
const COVERS = 4

/** What the user may see in a folder and below it. */
export async function contentsBelow(id: number): Promise<FolderContents> {
  const query = {
    folder_ids: id,
    recursive: 'true',
    return_values: 'media_type+thumbnail_url+poster_url',
    media_count: COVERS,
    thumbnail_size: '200px',
  }
  const { response } = await dataOf(api.GET('/search', { params: { query: query as never } }))
  const pictured = response.media.find(({ media_type: type, poster_url: poster }) => poster || type === 'image' || type === 'vector')
  return { count: response.hits, cover: pictured && pictureOf(pictured) }
}

/** Folders that one request asks about. */
const MOST_NAMED = 100

/** Names of folders, of those that the user may see. */
export async function namesOf(ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const id of slicesOf(ids, MOST_NAMED)) {
    for (const folder of await dataOf(api.GET('/folder', { params: { query: { id } } }))) names.set(folder.id, folder.name)
  }
  return names
}

/** The first folder whose name begins with some letters. */
export async function folderNamed(start: string): Promise<number | undefined> {
  const found = await dataOf(
    api.GET('/folder', { params: { query: { q: start, sort_by: 'name', exclude_per_user_system_folders: true } } }),
  )
  return found.find(({ name }) => name.toLowerCase().startsWith(start.toLowerCase()))?.id
}

/** @param key is the same for another try of the same request */
export const createFolder = (name: string, parent: number | null, key?: string) =>
  dataOf(api.POST('/folder', { body: { name, parent }, ...(key !== undefined && { headers: { 'Idempotency-Key': key } }) }))

/** Renames or moves a folder. */
export const changeFolder = (id: number, change: { name?: string; parent?: number | null }) =>
  dataOf(api.POST('/folder/{id}', { params: { path: { id } }, body: change }))

export const trashFolder = (id: number) => dataOf(api.POST('/folder/{id}/move_to_trash', { params: { path: { id } } }))
