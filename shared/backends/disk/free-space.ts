import { statfsSync } from 'node:fs'

/** Free bytes on a folder's disk; 0 if it has no inode left. @throws Error with the system's code */
export function freeSpace(folder: string): number {
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  return files > 0 && ffree === 0 ? 0 : bavail * bsize
}
