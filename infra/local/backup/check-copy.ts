import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { forgetUnfinished } from '../../../shared/backends/objects/embedded-backup.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { Problem } from '../../../shared/library/check/problem.ts'
import { crc32OfFile } from '../../../shared/tools/digest.ts'
import { lostObjectFiles, type ObjectFileProblem } from './check-object-files.ts'
import { BUCKETS } from './contents.ts'
import { BackupDamaged } from './manifest.ts'

/** @throws BackupDamaged */
export async function requireCrc32(path: string, expected: number): Promise<void> {
  const found = await crc32OfFile(path).catch((cause) => {
    throw new BackupDamaged(`${path} cannot be read`, { cause })
  })
  if (found !== expected) throw new BackupDamaged(`${path} has another CRC-32 than the list of the backup says`)
}

/**
 * Checks a backup's library without changing the backup: copies its databases into the system's temporary folder.
 * @param made time of the backup, as of which due work is judged
 */
export async function checkBackup(source: string, folder: string, made: Date): Promise<(Problem | ObjectFileProblem)[]> {
  const copy = await mkdtemp(join(tmpdir(), 'media-library-backup-'))
  try {
    await copyFile(join(folder, 'table.db'), join(copy, 'table.db'))
    for (const bucket of BUCKETS) {
      makeFolder(join(copy, bucket))
      await copyFile(join(folder, bucket, 'index.db'), join(copy, bucket, 'index.db'))
      // Before the bucket is opened, which removes discarded files.
      forgetUnfinished(join(copy, bucket, 'index.db'))
      await symlink(join(source, 'objects', bucket), join(copy, bucket, 'data'), 'junction')
    }
    return await checkRestored(copy, folder, made)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Checks an unused data folder that was made of a backup, as of its time. @param folder of the backup */
export async function checkRestored(directory: string, folder: string, made: Date): Promise<(Problem | ObjectFileProblem)[]> {
  const lost = lostObjectFiles(directory, folder)
  const paths = embeddedLayout(directory)
  const clock = { ...systemClock, now: () => made.getTime() }
  using opened = new DisposableStack()
  const table = opened.adopt(openEmbeddedTable(paths.table), (table) => table.close())
  const media = opened.adopt(openEmbeddedObjects(paths.media, clock), (bucket) => bucket.close())
  const publicFiles = opened.adopt(openEmbeddedObjects(paths.public, clock), (bucket) => bucket.close())
  // Nothing changes meanwhile, so no second look is needed.
  return [...lost, ...(await checkLibrary({ table, scanner: table, media, publicFiles, clock }, { pauses: [] }))]
}
