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

/** A tree's folder names, folded once for all requests. */
const namesOf = perObject(({ layout }: Tree) => new FoldedTags(layout.folders.map(({ name }) => name)))

/**
 * Folders that the caller may READ with a word in their name that begins with the text, trashcans excluded. Names that begin with the text
 * come first, then in the order of names.
 */
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
