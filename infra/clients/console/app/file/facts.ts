import { api, dataOf, type Schemas } from '../api/client.ts'
import { type ListedFolder, namesOf } from '../folders/calls.ts'

/** Folders that hold a file, by name. */
export async function foldersOfFile(id: number): Promise<ListedFolder[]> {
  const held = await dataOf(api.GET('/media/{id}/folders', { params: { path: { id } } }))
  if (held.length === 0) return []
  const ids = held.map(({ group_id }) => group_id)
  return dataOf(api.GET('/folder', { params: { query: { id: ids } } }))
}

/** The folder in which a file of the trash was, by name, as far as the user may see it. */
export async function originOf(id: number, holders: readonly ListedFolder[]): Promise<string> {
  const trashcan = holders.find(({ permissions }) => permissions.groups.includes('TRASH'))
  if (!trashcan) return ''
  const query = { folder_ids: String(trashcan.id), unique_media_id: String(id), return_values: 'trashed_from' }
  const { response } = await dataOf(api.GET('/search', { params: { query: query as never } }))
  const from = response.media[0]?.trashed_from
  return from ? ((await namesOf([from])).get(from) ?? '') : ''
}

/** What the file itself says, by family. */
export const tagsOf = (id: number): Promise<Record<string, unknown>> => dataOf(api.GET('/media/{id}/tags', { params: { path: { id } } }))

/** Latitude and longitude to about ten metres. */
export const placeText = (place: Schemas['Metadata']['geolocation']): string =>
  place ? `${Number(place.latitude).toFixed(4)}, ${Number(place.longitude).toFixed(4)}` : ''

const names = new Map<number, string>()

/** The name of a person, as far as the user may know it. Files that the service took in are of nobody: 0. */
export async function personNamed(id: number): Promise<string> {
  if (id === 0) return ''
  const known = names.get(id)
  if (known !== undefined) return known
  const { fullname, username } = await dataOf(api.GET('/user/{id}', { params: { path: { id } } }))
  const name = fullname || username
  names.set(id, name)
  return name
}
