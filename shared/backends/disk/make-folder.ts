import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and the missing ones above it, each for its owner only (mode 0700). An existing one stays as it is. Node's recursive
 * `mkdir` never returns below a folder that allows no subfolders, such as /proc.
 * @throws Error with the system's code: EACCES, EROFS, ENOSPC, ENOTDIR, ENOENT, or EEXIST if there is a file
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
