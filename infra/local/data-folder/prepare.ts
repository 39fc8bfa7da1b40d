import { accessSync, chmodSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { DataFolderUnusable } from './failure.ts'
import { hasLibrary, requireKnownFormat } from './format.ts'

/** Most bytes of the folder's path. SQLite opens files with paths of 504 at most, and names below the folder have some 40. */
const MAX_PATH_BYTES = 440

/** The mode's bits of the owner's group and of all other users. */
const OTHERS = 0o077
const WRITABLE_BY_ALL = 0o002

/** Names of everything that the service writes into its data folder. */
const OWN_NAMES = new Set([
  ...Object.values(embeddedLayout('.')).map((path) => basename(path)),
  'temporary',
  'server.lock',
  'server.pid',
  'server.json',
  'backup-targets.json',
  'demo.json',
])

const isOwn = (name: string) => OWN_NAMES.has(name.replace(/-(wal|shm|journal)$|\.[\w-]+\.part$/, ''))

/**
 * Makes the data folder where there is none. Closes it to other users, with the service's own files in it. A folder that also holds other
 * files keeps its mode: other users may need them.
 * @throws DataFolderUnusable where every user may write, it is of another format, or the path is too long; or Error with the system's code
 */
export function prepareDataFolder(directory: string): void {
  makeFolder(directory)
  requireShortPath(directory)
  requireAccess(directory)
  requireKnownFormat(directory)
  // Windows keeps rights in lists of its own, which a new folder inherits.
  if (process.geteuid === undefined) return
  const names = readdirSync(directory)
  for (const name of names.filter(isOwn)) closeToOthers(join(directory, name))
  const { mode, uid } = statSync(directory)
  const isAllOwn = uid === process.geteuid() && names.every((name) => isOwn(name) || name === 'lost+found')
  if (isAllOwn) closeToOthers(directory)
  else if ((mode & WRITABLE_BY_ALL) !== 0) {
    throw new DataFolderUnusable(
      `Every user may write to ${directory}. Set DATA_DIR to a folder inside it, which will be closed to others.`,
    )
  }
}

function closeToOthers(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS)
}

function requireShortPath(directory: string): void {
  const bytes = Buffer.byteLength(realpathSync(directory))
  if (bytes <= MAX_PATH_BYTES) return
  throw new DataFolderUnusable(
    `The path of the data folder has ${bytes} bytes, and SQLite's files in it need one of ${MAX_PATH_BYTES} at most. Set DATA_DIR to a folder with a shorter path. It is ${directory}`,
  )
}

/** Checked because SQLite's own error doesn't tell why it can't open a file. @throws Error with the system's code */
function requireAccess(directory: string): void {
  accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
}

/**
 * Refuses a folder without a library, or of another format: a mistyped `DATA_DIR` must not become a new library.
 * @throws DataFolderUnusable, or Error with the system's code
 */
export function requireLibrary(directory: string): void {
  if (!hasLibrary(directory)) {
    throw new DataFolderUnusable(
      `There is no library in ${directory}. Set DATA_DIR to the folder that holds yours, or make a new one there with its first company: company create --name NAME`,
    )
  }
  requireAccess(directory)
  requireKnownFormat(directory)
}
