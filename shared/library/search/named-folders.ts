import { perObject } from '../../per-object.ts'
import { filenameKey } from '../../vocabulary/filename-key.ts'
import type { FolderId } from '../../vocabulary/ids.ts'
import type { Tree } from '../tree/tree.ts'
import { FoldedTags } from './folded-tags.ts'
import type { SearchScope } from './scope.ts'

export interface NamedFolder {
  id: FolderId
  name: string
}

/** The names of a tree's folders, folded once for all who type. */
const namesOf = perObject(({ layout }: Tree) => new FoldedTags(layout.folders.map(({ name }) => name)))

/** Folders outside of trashcans that the caller may READ whose names have a word that begins so: first those that begin so as a whole, by name. */
export function namedFolders(scope: SearchScope, text: string, limit: number): NamedFolder[] {
  const { layout } = scope.tree
  const wanted = filenameKey(text.trim())
  return namesOf(scope.tree)
    .matching({ words: [text], matching: 'prefix' })
    .filter((number) => scope.isUsual(number))
    .map((number) => ({
      id: layout.folders[number]!.folderId,
      name: layout.folders[number]!.name,
      key: filenameKey(layout.folders[number]!.name),
    }))
    .sort(
      (a, b) =>
        Number(b.key.startsWith(wanted)) - Number(a.key.startsWith(wanted)) || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id),
    )
    .slice(0, limit)
    .map(({ id, name }) => ({ id, name }))
}
