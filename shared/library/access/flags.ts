import type { FolderRecord } from '../tree/folder.ts'
import { type RightSet, rights, rightsOf } from '../tree/folder.ts'

/** The flags of a folder in the interface: the caller's rights, and the kind of the folder. */
export const flags = [...rights, 'PERMANENT', 'TRASH', 'PUBLIC'] as const
export type Flag = (typeof flags)[number]

/** The flags of a folder, in the order of `flags`. */
export function flagsOf({ record, rights }: { record: Pick<FolderRecord, 'system'>; rights: RightSet }): Flag[] {
  const found: Flag[] = rightsOf(rights)
  if (record.system) found.push('PERMANENT')
  if (record.system === 'trash') found.push('TRASH')
  if (record.system === 'public') found.push('PUBLIC')
  return found
}
