import { chmod, constants, copyFile, link, stat } from 'node:fs/promises'
import { sync } from './durable.ts'

/** Makes a file with the bytes of another one that never changes. */
interface Way {
  place(from: string, to: string): Promise<void>
  /** Whether its result must be synced. */
  writes: boolean
  /** Whether the bytes pass through memory, where they may be corrupted. */
  copies: boolean
}

/** Best first. A clone and a link take no room. A clone also survives writes to the original. */
const WAYS: readonly Way[] = [
  { place: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL), writes: true, copies: false },
  { place: link, writes: false, copies: false },
  { place: (from, to) => copyFile(from, to, constants.COPYFILE_EXCL), writes: true, copies: true },
]

/** Errors that no other way avoids. */
const FINAL = new Set(['ENOENT', 'ENOSPC', 'EDQUOT', 'EIO', 'EEXIST', 'EROFS'])

/** Mode of files for their owner only, and the bits that decide that. */
const OWN = 0o600
const PERMISSIONS = 0o777

/** A placed file. */
export interface Placed {
  /** Its size. */
  bytes: number
  copied: boolean
}

/** Places files by the best way that both disks allow. */
export class FilePlacer {
  #ways = WAYS

  /** Creates a file for its owner only. Syncs its contents, but not its name. @throws Error with the system's code */
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
        // EMLINK is one file's; other errors hold for all files.
        if (code !== 'EMLINK') this.#ways = this.#ways.filter((each) => each !== way)
      }
    }
    throw new Error('there is no way left')
  }
}
