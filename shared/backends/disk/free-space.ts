import { statfsSync } from 'node:fs'

/** Bytes that may still be written to the disk of a folder; 0 also where it holds as many files as it can. @throws Error with the system's code */
export function freeSpace(folder: string): number {
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  return files > 0 && ffree === 0 ? 0 : bavail * bsize
}
