import type { MediaLibrary, Schemas } from '../client/client.ts'
import { unlessMissing } from './command.ts'
import { exitCodes, Failure } from './exit-code.ts'

export type Folder = Schemas['ListedFolder']

/** Folders in a folder, or the topmost ones. */
export const childrenOf = (library: MediaLibrary, id?: number): Promise<Folder[]> =>
  library.get('/folder', { params: { query: { parent: String(id ?? 0), sort_by: 'name' } } })

/** The folder that an id or a path names. @throws Failure */
export async function findFolder(library: MediaLibrary, text: string): Promise<{ id: number; name: string }> {
  const id = idOf(text)
  const byId = id && (await unlessMissing(library.get('/folder/{id}', { params: { path: { id } } })))
  if (byId) return byId
  const names = text.split('/').filter(Boolean)
  let found: Folder | undefined
  for (const name of names) {
    const same = (await childrenOf(library, found?.id)).filter((folder) => folder.name === name.normalize('NFC'))
    if (same.length > 1)
      throw new Failure(exitCodes.folderNotFound, `Several folders are named ${name}. Name one by its id: ${idsOf(same)}.`)
    found = same[0]
    if (!found) throw new Failure(exitCodes.folderNotFound, `There is no folder ${text}.`)
  }
  if (!found) throw new Failure(exitCodes.folderNotFound, `There is no folder ${text || '""'}.`)
  return found
}

const idsOf = (folders: readonly Folder[]): string => folders.map(({ id }) => id).join(', ')

/** Parses an id; undefined for other texts. */
export const idOf = (text: string): number | undefined => (/^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined)

/** Parses ids of files. @throws Failure */
export function mediaIdsOf(texts: readonly string[]): number[] {
  return texts.flatMap((text) => text.split(',')).map(mediaIdOf)
}

/** Parses the id of one file. @throws Failure */
export const mediaIdOf = (text: string): number => idOf(text) ?? fail(`${text} is no id of a file.`)

/** Splits arguments into items and the target folder, which comes last. @throws Failure where one is missing */
export async function withTarget(library: MediaLibrary, args: readonly string[]): Promise<[what: readonly string[], folder: number]> {
  if (args.length < 2) fail('Say what, then the folder.')
  return [args.slice(0, -1), (await findFolder(library, args.at(-1)!)).id]
}

function fail(message: string): never {
  throw new Failure(exitCodes.usage, message)
}
