import { api, dataOf, type Schemas } from '../api/client.ts'
import { namesOf } from '../folders/calls.ts'
import { text } from '../language/language.svelte.ts'
import { knownCliques, type Right } from './calls.ts'

type UserAccess = Schemas['UserAccess']

/** Somebody who has rights, and what gives them. */
export interface PersonWithRights {
  id: number
  name: string
  rights: readonly Right[]
  /** As people read it. */
  by: readonly string[]
  /** What a folder itself grants them, by its id. */
  granted: ReadonlyMap<number, readonly Right[]>
}

/** Who may do what with a folder. @throws MediaLibraryError 403 where the user isn't admin of it */
export const whoHasFolder = async (id: number): Promise<PersonWithRights[]> =>
  named((await dataOf(api.GET('/folder/{id}/access', { params: { path: { id } } }))).users)

/** Who may do what with a file, by any folder that holds it. @throws MediaLibraryError 403 where the user may not change it */
export const whoHasFile = async (id: number): Promise<PersonWithRights[]> =>
  named((await dataOf(api.GET('/media/{id}/access', { params: { path: { id } } }))).users)

/** The same with names of folders and cliques, as far as the user may know them. */
async function named(users: readonly UserAccess[]): Promise<PersonWithRights[]> {
  const sources = users.flatMap(({ by }) => by)
  const folders = await namesOf([...new Set(sources.flatMap(({ folder_id: id }) => id ?? []))])
  const isByClique = sources.some(({ clique_id: id }) => id !== undefined)
  const known = isByClique ? await knownCliques() : []
  const cliques = new Map(known.map(({ id, name }) => [id, name]))
  const shown = ({ how, folder_id: folder, clique_id: clique }: UserAccess['by'][number]): string => {
    if (how === 'admin') return text.byAdmin
    const where = folders.get(folder ?? 0) ?? text.aFolder
    return how === 'clique' ? text.byCliqueOn(cliques.get(clique ?? 0) ?? text.clique, where) : text.byGrantOn(where)
  }
  return users.map(({ user_id: id, username, fullname, flags, by }) => ({
    id,
    name: fullname || username,
    rights: flags.filter((flag) => flag === 'READ' || flag === 'WRITE' || flag === 'UPLOAD' || flag === 'ADMIN'),
    by: [...new Set(by.map(shown))],
    granted: new Map(
      by.flatMap(({ how, folder_id: folder, flags: given }) => (how === 'grant' && folder !== null ? [[folder, given]] : [])),
    ),
  }))
}
