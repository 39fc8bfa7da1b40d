import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { lockExclusively } from '../../../shared/backends/disk/exclusive-lock.ts'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { shardOf } from '../../../shared/backends/objects/embedded-files.ts'
import { type BucketName, namesIn } from './contents.ts'
import { MANIFEST } from './manifest.ts'

/** Backups need an action of the operator, which the message names. */
export class BackupImpossible extends Error {
  override name = 'BackupImpossible'
}

/** Prefix of unfinished backups' folders. */
const UNFINISHED = '.making-'

const NAME = /^\d{4}-\d{2}-\d{2}T\d{6}\.\d{3}Z$/

/**
 * Layout of a folder of backups: `objects/<bucket>/` has the files of all, each once. A folder per backup, named by its time, has the databases, the
 * list of files, and the manifest.
 */
export const backupTarget = (target: string) => ({
  lock: join(target, 'backup.lock'),
  folder: (made: Date) => join(target, made.toISOString().replaceAll(':', '')),
  /** Path of an unfinished backup. */
  unfinished: (id: string) => join(target, UNFINISHED + id),
  objectFile: (bucket: BucketName, file: string) => join(target, 'objects', bucket, shardOf(file), file),
})

/** A stored backup, good or not. */
export interface StoredBackup {
  folder: string
  made: Date
}

/** All finished backups in a folder, newest first. */
export function backupsIn(target: string): StoredBackup[] {
  return namesIn(target)
    .filter((name) => NAME.test(name) && namesIn(join(target, name)).includes(MANIFEST))
    .sort()
    .reverse()
    .map((name) => ({ folder: join(target, name), made: timeIn(name) }))
}

function timeIn(name: string): Date {
  return new Date(name.replace(/T(\d\d)(\d\d)/, 'T$1:$2:'))
}

/** Creates a missing folder for backups. @throws BackupImpossible, or Error with the system's code */
export function prepareTarget(target: string, dataDirectory: string): void {
  if (`${realPath(target)}/`.startsWith(`${realPath(dataDirectory)}/`)) {
    throw new BackupImpossible(
      `${target} is in the data folder ${dataDirectory}. Back up to another folder, at best on another disk: what takes the one away must not take the other.`,
    )
  }
  makeFolder(target)
}

/** @returns a function that unlocks it @throws BackupImpossible while another process makes a backup there */
export function lockTarget(target: string): () => void {
  const unlock = lockExclusively(backupTarget(target).lock)
  if (!unlock) throw new BackupImpossible(`Another backup to ${target} is being made. Wait for its end.`)
  return unlock
}

/** Removes unfinished backups. The target is locked. */
export async function removeUnfinished(target: string): Promise<void> {
  for (const name of namesIn(target)) {
    if (name.startsWith(UNFINISHED)) await rm(join(target, name), { recursive: true, force: true })
  }
}

/** The real path, also of a path whose end doesn't exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return join(realPath(dirname(path)), basename(path))
  }
}
