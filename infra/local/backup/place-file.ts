import { chmod, constants, copyFile, link, stat } from 'node:fs/promises'
import { sync } from './durable.ts'

/** Makes a file with the bytes of another one that never changes. */
interface Way {
  place(from: string, to: string): Promise<void>
  /** Whether something has to be brought to the disk. */
  writes: boolean
  /** Whether the bytes pass through memory: what was written may be something else than what was there. */
  copies: boolean
}

/** The best one first. A clone and a link take no room; a clone is another file besides, which stays when somebody writes to the first one. */
const WAYS: readonly Way[] = [
  { place: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL), writes: true, copies: false },
  { place: link, writes: false, copies: false },
  { place: (from, to) => copyFile(from, to, constants.COPYFILE_EXCL), writes: true, copies: true },
]

/** Errors that another way wouldn't help against. */
const FINAL = new Set(['ENOENT', 'ENOSPC', 'EDQUOT', 'EIO', 'EEXIST', 'EROFS'])

/** The mode of files that only their owner may read and write, and the bits that say it. */
const OWN = 0o600
const PERMISSIONS = 0o777

/** A file that was placed. */
export interface Placed {
  /** Its size. */
  bytes: number
  copied: boolean
}

/** Places files from one disk on another one, or the same, by the best way that both allow. */
export class FilePlacer {
  #ways = WAYS

  /** Makes a file, for its owner only, that is on the disk but for its name. @throws Error with the system's code */
  async place(from: string, to: string): Promise<Placed> {
    const way = await this.#placeByAny(from, to)
    const { mode, size } = await stat(to)
    if ((mode & PERMISSIONS) !== OWN) await chmod(to, OWN)
    if (way.writes) await sync(to)
    return { bytes: size, copied: way.copies }
  }

  async #placeByAny(from: string, to: string): Promise<Way> {
    for (const way of this.#ways) {
      try {
        await way.place(from, to)
        return way
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (FINAL.has(code) || way === WAYS.at(-1)) throw error
        // One file can have too many links; all else is so for all files.
        if (code !== 'EMLINK') this.#ways = this.#ways.filter((each) => each !== way)
      }
    }
    throw new Error('there is no way left')
  }
}
