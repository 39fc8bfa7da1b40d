import { accessSync, constants, realpathSync } from 'node:fs'
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

/** Creates a missing folder for backups. @throws BackupImpossible where it can't hold any */
export function prepareTarget(target: string, dataDirectory: string): void {
  if (explained(target, () => `${realPath(target)}/`.startsWith(`${realPath(dataDirectory)}/`))) {
    throw new BackupImpossible(
      `${target} is in the data folder ${dataDirectory}. Back up to another folder, at best on another disk: what takes the one away must not take the other.`,
    )
  }
  explained(target, () => {
    makeFolder(target)
    accessSync(target, constants.R_OK | constants.W_OK | constants.X_OK)
  })
}

/** Why a folder can't hold backups, by the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write there',
  EPERM: 'this user may not write there',
  EROFS: 'its disk can only be read',
  ENOTDIR: 'there is a file of that name, or above it',
  EEXIST: 'there is a file of that name',
  ENOENT: 'no folder can be made there',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'it is a link that leads nowhere',
}

/** @throws BackupImpossible */
function explained<Result>(target: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new BackupImpossible(`${target} can't hold backups: ${REASONS[code] ?? message}.`)
  }
}

/** All finished backups of a folder, newest first. @throws BackupImpossible where it can't be read */
export const readBackupsIn = (source: string): StoredBackup[] => explained(source, () => backupsIn(source))

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
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return join(realPath(dirname(path)), basename(path))
  }
}
