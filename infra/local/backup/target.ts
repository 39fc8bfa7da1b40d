import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { lockExclusively } from '../../../shared/backends/disk/exclusive-lock.ts'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { shardOf } from '../../../shared/backends/objects/embedded-files.ts'
import { type BucketName, namesIn } from './contents.ts'
import { MANIFEST } from './manifest.ts'

/** The operator has to do something before there can be a backup. The message says what. */
export class BackupImpossible extends Error {
  override name = 'BackupImpossible'
}

/** Begins the names of folders of backups that are being made. */
const UNFINISHED = '.making-'

const NAME = /^\d{4}-\d{2}-\d{2}T\d{6}\.\d{3}Z$/

/**
 * A folder that holds backups: `objects/<bucket>/` has the files of all, each once; a folder for each backup, named by its time, has the
 * databases, the list of its files, and the manifest.
 */
export const backupTarget = (target: string) => ({
  lock: join(target, 'backup.lock'),
  folder: (made: Date) => join(target, made.toISOString().replaceAll(':', '')),
  /** Where a backup is until it is whole. */
  unfinished: (id: string) => join(target, UNFINISHED + id),
  objectFile: (bucket: BucketName, file: string) => join(target, 'objects', bucket, shardOf(file), file),
})

/** A backup that is there, good or not. */
export interface StoredBackup {
  folder: string
  made: Date
}

/** All backups in a folder that were made to their end, the newest first. */
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

/** Makes the folder for backups where it is missing. @throws BackupImpossible, or Error with the system's code */
export function prepareTarget(target: string, dataDirectory: string): void {
  if (`${realPath(target)}/`.startsWith(`${realPath(dataDirectory)}/`)) {
    throw new BackupImpossible(
      `${target} is in the data folder ${dataDirectory}. Back up to another folder, at best on another disk: what takes the one away must not take the other.`,
    )
  }
  makeFolder(target)
}

/** @returns how to unlock it @throws BackupImpossible while another process makes a backup there */
export function lockTarget(target: string): () => void {
  const unlock = lockExclusively(backupTarget(target).lock)
  if (!unlock) throw new BackupImpossible(`Another backup to ${target} is being made. Wait for its end.`)
  return unlock
}

/** Removes what backups that did not end have left. The target is locked. */
export async function removeUnfinished(target: string): Promise<void> {
  for (const name of namesIn(target)) {
    if (name.startsWith(UNFINISHED)) await rm(join(target, name), { recursive: true, force: true })
  }
}

/** Where a path leads to, also one whose end is not there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return join(realPath(dirname(path)), basename(path))
  }
}
