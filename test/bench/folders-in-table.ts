import { systemClock } from '../../shared/backends/clock/port.ts'
import type { Table } from '../../shared/backends/table/port.ts'
import { claimId, type FolderRecord, folderKey } from '../../shared/library/tree/folder.ts'
import type { Right } from '../../shared/library/tree/rights.ts'
import { changeTree } from '../../shared/library/tree/tree-store.ts'

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
export async function putFolders(table: Table, companyId: number, wanted: readonly WantedFolder[]): Promise<void> {
  for (let from = 0; from < wanted.length; from += FOLDERS_AT_ONCE) {
    const put = wanted.slice(from, from + FOLDERS_AT_ONCE).map((folder): FolderRecord => {
      const made = { created: systemClock.now(), tags: [], cover: null, grants: {} }
      return { ...folderKey(companyId, folder.folderId), companyId, ...made, ...folder }
    })
    const also = Object.fromEntries(put.map(({ folderId }) => [`claim ${folderId}`, claimId(companyId, folderId)]))
    await changeTree(table, systemClock, companyId, () => ({ put, also }))
  }
}
