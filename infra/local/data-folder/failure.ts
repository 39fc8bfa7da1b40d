import { freeSpace } from '../../../shared/backends/disk/free-space.ts'

/** The data folder can't be used. The message tells the operator what to do. */
export class DataFolderUnusable extends Error {
  override name = 'DataFolderUnusable'
}

const NOT_ALLOWED = 'may not be read or written by this user. Run this as its owner, or give it to this user with chown -R'
const READ_ONLY = 'cannot be written. Mount its disk for writing, or give the folder to this user with chown -R'
const FULL = 'is on a disk without any space left. Make room there'
const NO_FOLDER = 'is not a folder: there is a file of that name, or above it. Move the file away'
const BROKEN = 'is on a disk that reports errors. Check the disk'

/** What is wrong with the folder and what to do, by the code of the system or of SQLite (the lower byte of its extended codes). */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: READ_ONLY,
  ENOSPC: FULL,
  EDQUOT: FULL,
  ENOTDIR: NO_FOLDER,
  EEXIST: NO_FOLDER,
  ENOENT: 'cannot be made there. Check its name',
  ENAMETOOLONG: 'has too long a name. Shorten it',
  ELOOP: 'is a symbolic link that leads nowhere. Check it',
  EIO: BROKEN,
  SQLITE_8: READ_ONLY,
  SQLITE_10: BROKEN,
  SQLITE_11: 'is damaged. Bring it back from a backup',
  SQLITE_13: FULL,
  SQLITE_14: NOT_ALLOWED,
  SQLITE_26: 'is damaged. Bring it back from a backup',
}

/** Free bytes that SQLite needs to write anything. */
const SQLITE_PAGE = 32 * 1024

interface Coded extends Error {
  code?: string
  errcode?: number
  path?: string
}

/**
 * Explains why a program could not use its data folder.
 * @returns the explanation; the error itself when it is about something else
 */
export function explainFailure(error: unknown, directory: string): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, errcode, path } = at as Coded
    const known = REASONS[code === 'ERR_SQLITE_ERROR' ? `SQLITE_${(errcode ?? 0) & 0xff}` : (code ?? '')]
    // On a full disk, writes to memory that SQLite has mapped fail like errors of the disk.
    const reason = known === BROKEN && isFull(directory) ? FULL : known
    if (!reason || (path !== undefined && !isOneWithin(path, directory))) continue
    return new DataFolderUnusable(`The data folder ${directory} ${reason}, or set DATA_DIR to another folder.`, { cause: error })
  }
  return error
}

function isFull(directory: string): boolean {
  try {
    return freeSpace(directory) < SQLITE_PAGE
  } catch {
    return false
  }
}

/** Whether one path is the other, or lies in it. */
function isOneWithin(path: string, directory: string): boolean {
  return `${path}/`.startsWith(`${directory}/`) || `${directory}/`.startsWith(`${path}/`)
}
