import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it that are missing, each for its owner only (mode 0700). One that exists stays as it is. (Node's own
 * recursive `mkdir` never returns where a folder exists that takes none, below /proc for one.)
 * @throws Error with the system's code: EACCES, EROFS, ENOSPC, ENOTDIR, ENOENT, or EEXIST where there is a file
 */
export function makeFolder(path: string): void {
  try {
    makeOne(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    makeOne(path)
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
