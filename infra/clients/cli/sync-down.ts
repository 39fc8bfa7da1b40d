import { mkdir, rename } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Session } from './command.ts'
import { runDownload } from './download-run.ts'
import { exitCodes } from './exit-code.ts'
import { type LibraryFile, libraryFiles } from './library-tree.ts'
import { LOCAL_TRASH, localFiles } from './local-tree.ts'
import type { StateFile } from './state-file.ts'
import type { Synced, SyncOptions } from './sync.ts'

/** Makes a folder of the disk have what a folder of the library has, byte for byte. */
export async function syncDown(session: Session, folder: number, disk: string, state: StateFile, options: SyncOptions): Promise<Synced> {
  const wanted: LibraryFile[] = []
  for await (const file of libraryFiles(session.library, folder)) wanted.push(file)
  await mkdir(disk, { recursive: true })
  const surplus = new Set<string>()
  let unreadable = 0
  for await (const file of localFiles(`${disk}/`)) {
    if ('why' in file) unreadable++
    else surplus.add(file.path)
  }
  for (const { folders, name } of wanted) surplus.delete(join(disk, ...folders, name))
  const plan = { ...options, files: wanted, target: disk, what: 'original' as const, sidecars: false, state }
  const { downloaded, already_there, failed, exitCode } = await runDownload(session, plan)
  return {
    numbers: { copied: downloaded, unchanged: already_there, replaced: 0, failed: failed + unreadable },
    exitCode: exitCode === exitCodes.done && unreadable > 0 ? exitCodes.someFailed : exitCode,
    surplus: [...surplus].map((path) => relative(disk, path)),
    async trash() {
      const trash = join(disk, LOCAL_TRASH, new Date().toISOString().replaceAll(':', '-'))
      for (const path of surplus) {
        const place = join(trash, relative(disk, path))
        await mkdir(dirname(place), { recursive: true })
        await rename(path, place)
      }
      return surplus.size
    },
  }
}
