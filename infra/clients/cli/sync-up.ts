import { stat } from 'node:fs/promises'
import { Bulk } from './bulk.ts'
import type { Session } from './command.ts'
import { exitCodes, Failure } from './exit-code.ts'
import { libraryFiles } from './library-tree.ts'
import { localFiles } from './local-tree.ts'
import type { StateFile } from './state-file.ts'
import type { Synced, SyncOptions } from './sync.ts'
import { TargetFolders } from './target-folders.ts'
import { runUpload } from './upload-run.ts'

/** Makes a folder of the library have what a folder of the disk has. @throws Failure where that is missing */
export async function syncUp(session: Session, disk: string, folder: number, state: StateFile, options: SyncOptions): Promise<Synced> {
  if (!(await stat(disk).catch(() => undefined))?.isDirectory())
    throw new Failure(exitCodes.fileNotFound, `There is no folder ${disk} on the disk.`)
  const before = new Map<number, { folder: number; path: string }>()
  for await (const file of libraryFiles(session.library, folder))
    before.set(file.id, { folder: file.folder, path: [...file.folders, file.name].join('/') })
  const { uploaded, already_there, failed, ids, exitCode } = await runUpload(session, {
    files: localFiles(`${disk}/`),
    targets: new TargetFolders(session.library, folder, { isDryRun: options.isDryRun }),
    state,
    skipExisting: 'md5',
    transfers: options.transfers,
    checkers: 4,
    isDryRun: options.isDryRun,
    versions: 'sync',
    maxErrors: Infinity,
    rate: options.rate,
  })
  for (const id of [...ids.uploaded, ...ids.there, ...ids.replaced]) before.delete(id)
  const surplus = [...before].map(([id, place]) => ({ id, ...place }))
  return {
    numbers: { copied: uploaded, unchanged: already_there, replaced: ids.replaced.length, failed },
    exitCode,
    surplus: surplus.map(({ path }) => path),
    async trash() {
      const bulk = new Bulk(session)
      for (const from of new Set(surplus.map((file) => file.folder))) {
        const leaving = surplus.filter((file) => file.folder === from).map(({ id }) => id)
        await bulk.change(leaving, { folders: { trash: { from } } })
      }
      return bulk.changed
    },
  }
}
