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
  /** By folder id. A purged folder keeps its shares; a trashed one gets them back when it is restored. */
  shares: { [folderId: string]: Right[] }
  /** Counts all changes of the clique and its members. Each change is conditional on it. */
  revision: number
  /** Actor of the last change of the clique or its members. */
  by?: Actor
}

export const cliqueKey = (cliqueId: CliqueId): Key => ({ pk: `CLIQUE#${cliqueId}`, sk: 'CLIQUE' })
