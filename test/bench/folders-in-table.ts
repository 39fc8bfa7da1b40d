import { systemClock } from '../../shared/backends/clock/port.ts'
import type { Table } from '../../shared/backends/table/port.ts'
import { claimId, newFolder } from '../../shared/library/tree/folder.ts'
import type { Right } from '../../shared/library/tree/rights.ts'
import { changeTree } from '../../shared/library/tree/tree-store.ts'
import { type CompanyId, toFolderId } from '../../shared/library/vocabulary/ids.ts'
import { by } from '../support/library.ts'

/** Folders in one change of the tree: folder and claim are two of a transaction's 100 operations. */
const FOLDERS_AT_ONCE = 45

/** A folder to make. Ids are the caller's choice, so that generated files can name them. */
export interface WantedFolder {
  folderId: number
  name: string
  parent: number | null
  grants?: { [userId: string]: Right[] }
  tags?: string[]
}

/** Makes many folders in a company, some at a time; parents first. */
export async function putFolders(table: Table, companyId: CompanyId, wanted: readonly WantedFolder[]): Promise<void> {
  const created = systemClock.now()
  for (let from = 0; from < wanted.length; from += FOLDERS_AT_ONCE) {
    const put = wanted
      .slice(from, from + FOLDERS_AT_ONCE)
      .map(({ folderId, parent, ...given }) =>
        newFolder(toFolderId(folderId), { ...given, companyId, parent: parent === null ? null : toFolderId(parent), created }),
      )
    const also = Object.fromEntries(put.map(({ folderId }) => [`claim ${folderId}`, claimId(companyId, folderId)]))
    await changeTree({ table, clock: systemClock, by }, companyId, () => ({ put, also }))
  }
}
