import { systemClock } from '../../shared/backends/clock/port.ts'
import type { Operation, Table } from '../../shared/backends/table/port.ts'
import type { Right } from '../../shared/library/tree/folder.ts'
import { claimId, newFolder } from '../../shared/library/tree/folder.ts'
import { readVersion, versionKey } from '../../shared/library/tree/tree-log.ts'
import { changeTree } from '../../shared/library/tree/tree-store.ts'
import { type CompanyId, toFolderId } from '../../shared/vocabulary/ids.ts'
import { by } from '../support/library.ts'

/** Folder and claim are two of a transaction's 100 operations. */
const FOLDERS_AT_ONCE = 50

/** A folder to make. Ids are the caller's choice, so that generated files can name them. */
export interface WantedFolder {
  folderId: number
  name: string
  parent: number | null
  grants?: { [userId: string]: Right[] }
  tags?: string[]
}

/**
 * Makes many folders in a company, with a snapshot of the tree as if they had been made one by one. The folders are written without a log: that
 * of so many changes has ended anyway.
 */
export async function putFolders(table: Table, companyId: CompanyId, wanted: readonly WantedFolder[]): Promise<void> {
  const created = systemClock.now()
  const folders = wanted.map(({ folderId, parent, ...given }) =>
    newFolder(toFolderId(folderId), { ...given, companyId, parent: parent === null ? null : toFolderId(parent), created }),
  )
  for (let from = 0; from < folders.length; from += FOLDERS_AT_ONCE) {
    const operations = folders.slice(from, from + FOLDERS_AT_ONCE).flatMap((folder): [string, Operation][] => [
      [`folder ${folder.folderId}`, { put: { ...folder, by } }],
      [`claim ${folder.folderId}`, claimId(companyId, folder.folderId)],
    ])
    await table.transact(Object.fromEntries(operations))
  }
  const { version } = await readVersion(table, companyId)
  await table.put({ ...versionKey(companyId), version: version + folders.length })
  const [first] = folders
  if (first) await changeTree({ table, clock: systemClock, by }, companyId, () => ({ put: [first] }))
}
