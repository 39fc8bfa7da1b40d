import type { MediaLibrary } from '../client/client.ts'
import { unlessMissing } from './command.ts'
import { exitCodes, Failure } from './exit-code.ts'
import { childrenOf, findFolder, idOf } from './folders.ts'

/** Files and folders in a command's arguments. */
export interface Named {
  /** Ids of files, by source folder. */
  files: Map<number, number[]>
  folders: { id: number; name: string }[]
}

/**
 * Looks up files by their ids, and folders by id or path.
 * @param from source folder; required for files in several folders
 * @throws Failure
 */
export async function findNamed(library: MediaLibrary, texts: readonly string[], from?: number): Promise<Named> {
  const named: Named = { files: new Map(), folders: [] }
  for (const text of texts) {
    const id = idOf(text)
    const memberships = id && (await unlessMissing(library.get('/media/{id}/folders', { params: { path: { id } } })))
    if (memberships) {
      const folders = memberships.length > 1 ? await outsideTrash(library, memberships) : memberships
      const [only] = folders
      if (from === undefined && folders.length !== 1)
        throw new Failure(exitCodes.usage, `File ${id} is in several folders: say which with --from.`)
      const leaves = from ?? only!.group_id
      named.files.set(leaves, [...(named.files.get(leaves) ?? []), id])
    } else named.folders.push(await folderNamed(library, text))
  }
  return named
}

async function outsideTrash<In extends { group_id: number }>(library: MediaLibrary, memberships: readonly In[]): Promise<In[]> {
  const trashcans = (await childrenOf(library)).filter(({ permissions }) => permissions.groups.includes('TRASH')).map(({ id }) => id)
  return memberships.filter(({ group_id }) => !trashcans.includes(group_id))
}

async function folderNamed(library: MediaLibrary, text: string): Promise<{ id: number; name: string }> {
  try {
    return await findFolder(library, text)
  } catch (error) {
    if (error instanceof Failure && idOf(text) !== undefined)
      throw new Failure(exitCodes.fileNotFound, `There is no file or folder ${text}.`)
    throw error
  }
}
