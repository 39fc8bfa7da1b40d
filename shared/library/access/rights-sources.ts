import type { CliqueId, FolderId } from '../../vocabulary/ids.ts'
import type { RightSet } from '../tree/folder.ts'

/** One thing that gives a user rights: a grant on a folder, a share with one of their cliques, or that they are admin of the company. */
export type RightsSource = { rights: RightSet } & (
  | { how: 'grant'; folderId: FolderId }
  | { how: 'clique'; folderId: FolderId; cliqueId: CliqueId }
  | { how: 'admin' }
)

/** Merges equal sources: several folders of a file may have the same one. */
export function joinedSources(sources: readonly RightsSource[]): RightsSource[] {
  const joined = new Map<string, RightsSource>()
  for (const source of sources) {
    const { rights, ...where } = source
    const key = JSON.stringify(where)
    joined.set(key, { ...source, rights: rights | (joined.get(key)?.rights ?? 0) })
  }
  return [...joined.values()]
}
