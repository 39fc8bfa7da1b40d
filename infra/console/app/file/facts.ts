import { api, dataOf } from '../api/client.ts'

/** Folders that hold a file, by name. */
export async function foldersOfFile(id: number): Promise<{ id: number; name: string }[]> {
  const held = await dataOf(api.GET('/media/{id}/folders', { params: { path: { id } } }))
  if (held.length === 0) return []
  const ids = held.map(({ group_id }) => group_id)
  return dataOf(api.GET('/folder', { params: { query: { id: ids } } }))
}

const names = new Map<number, string>()

/** The name of a person, as far as the user may know it. */
export async function personNamed(id: number): Promise<string> {
  const known = names.get(id)
  if (known !== undefined) return known
  const { fullname, username } = await dataOf(api.GET('/user/{id}', { params: { path: { id } } }))
  const name = fullname || username
  names.set(id, name)
  return name
}
