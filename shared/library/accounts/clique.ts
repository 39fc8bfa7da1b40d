import type { Key } from '../../backends/table/port.ts'
import type { CliqueId, CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import type { Right } from '../tree/folder.ts'

/** A clique: a group of users, with the folders that are shared with it. All its shares live in this one item. */
export type CliqueRecord = Key & {
  cliqueId: CliqueId
  companyId: CompanyId
  name: string
  /** Media id of its picture. */
  thumbnail: MediaId | null
  /** By folder id: a folder that is purged keeps its shares, one that lies in a trashcan gets them back with its restoration. */
  shares: { [folderId: string]: Right[] }
  /** Counts changes of anything about the clique, its members too: everything that changes one is conditional on it. */
  revision: number
  /** Who changed it last, or its members. */
  by?: Actor
}

export const cliqueKey = (cliqueId: CliqueId): Key => ({ pk: `CLIQUE#${cliqueId}`, sk: 'CLIQUE' })
