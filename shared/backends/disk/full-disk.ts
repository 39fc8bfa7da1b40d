import { freeSpace } from './free-space.ts'

/** A disk with fewer free bytes than this is full: there may be room for a deletion, but not for an upload. */
const LEAST_FREE = 16 * 1024 ** 2

/**
 * Whether the disk of a folder is full.
 * @param more bytes about to be written, which count as used
 * @returns false if the free space is unknown; a write then fails by itself
 */
export function isDiskFull(folder: string, more = 0): boolean {
  try {
    return freeSpace(folder) - more < LEAST_FREE
  } catch {
    return false
  }
}
