import type { CliqueId, FolderId } from '../../vocabulary/ids.ts'
import type { RightSet } from '../tree/folder.ts'

/** A source of rights: a grant on a folder, a share with one of the user's cliques, or the role of admin in the company. */
export type RightsSource = { rights: RightSet } & (
  | { how: 'grant'; folderId: FolderId }
  | { how: 'clique'; folderId: FolderId; cliqueId: CliqueId }
  | { how: 'admin' }
)

/** Merges equal sources, which several folders of a file may have. */
export function joinedSources(sources: readonly RightsSource[]): RightsSource[] {
  const joined = new Map<string, RightsSource>()
  for (const source of sources) {
    const { rights, ...where } = source
    const key = JSON.stringify(where)
    joined.set(key, { ...source, rights: rights | (joined.get(key)?.rights ?? 0) })
  }
  return [...joined.values()]
}
