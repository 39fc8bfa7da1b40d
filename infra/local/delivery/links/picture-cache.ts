import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../../../../shared/backends/clock/port.ts'
import { freeSpace } from '../../../../shared/backends/disk/free-space.ts'
import type { Log } from '../../../../shared/log/log.ts'
import { RecentlyUsed } from '../../../../shared/recently-used.ts'
import { type KeptPicture, LARGEST_IN_MEMORY, type Picture, pictureFile, readPictureFile } from './picture-file.ts'

export interface PictureCacheSettings {
  /** Made when the first picture is kept. */
  directory: string
  /** Most bytes on the disk. */
  maxBytes: number
  clock: Clock
  log: Log
}

interface CachedFile {
  /** On the disk. */
  bytes: number
  /** When the disk knows that it was used, in UNIX milliseconds. */
  touched: number
}

/** Bytes of pictures in memory. */
const MEMORY = 64 * 1024 ** 2

/** Bytes of the disk that the cache leaves to the library. */
const LEFT_FREE = 256 * 1024 ** 2

/** A file takes whole blocks of the disk, this many bytes each. */
const BLOCK = 4096

/** How exactly the disk knows when a picture was used last, in milliseconds. */
const TOUCH_INTERVAL = 60_000

const FILE_NAME = /^[0-9a-f]{40}$/

/**
 * Rendered pictures: a bounded number of bytes on the disk, of which the most recently used are also in memory. When it is full, those that
 * were used longest ago go. It survives restarts and crashes. Whatever happens to its files or its disk, a picture is at worst not there.
 *
 * Not a library's: cacache bounds nothing, and the packages that bound files by their use are unmaintained and forget at a restart.
 */
export class PictureCache {
  readonly #settings: PictureCacheSettings
  readonly #memory = new RecentlyUsed<KeptPicture>(MEMORY, ({ data }) => data.length)
  /** The files, the longest unused first. */
  readonly #files = new Map<string, CachedFile>()
  #bytes = 0
  /** The disk is read and written by one after the other, first by the recovery of what an earlier run kept. */
  #work: Promise<void>
  /** Whether all files are known. */
  #isRecovered = false

  constructor(settings: PictureCacheSettings) {
    this.#settings = settings
    this.#work = this.#recover().catch((error) => this.#warn(error))
  }

  async get(etag: string): Promise<KeptPicture | undefined> {
    const name = nameOf(etag)
    const picture = this.#memory.get(etag) ?? (await this.#read(etag, name))
    if (!picture) return undefined
    this.#remember(picture)
    this.#touch(name)
    return picture
  }

  async #read(etag: string, name: string): Promise<KeptPicture | undefined> {
    if (this.#isRecovered && !this.#files.has(name)) return undefined
    return await readPictureFile(etag, this.#path(name))
  }

  /**
   * Keeps a picture that was just rendered. A small one is there at once, a large one when the disk has it.
   * @returns when the disk has it, or can't have it
   */
  put(picture: Picture): Promise<void> {
    const made = this.#settings.clock.now()
    this.#remember({ ...picture, made })
    this.#work = this.#work.then(() => this.#write(nameOf(picture.etag), pictureFile(picture, made))).catch((error) => this.#warn(error))
    return this.#work
  }

  /** Waits until the disk has all that was put. */
  async close(): Promise<void> {
    await this.#work
  }

  #remember(picture: KeptPicture): void {
    if (picture.data instanceof Uint8Array && picture.data.length <= LARGEST_IN_MEMORY) this.#memory.set(picture.etag, picture)
  }

  async #write(name: string, file: Buffer): Promise<void> {
    const path = this.#path(name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const bytes = onDisk(file.length)
    if (bytes > this.#settings.maxBytes || freeSpace(dirname(path)) < LEFT_FREE + bytes) return
    await this.#forget(name)
    await this.#makeRoom(bytes)
    const unfinished = `${path}.${randomUUID()}`
    try {
      // Nobody reads all of a large file to find out whether power failed before the disk had it.
      await writeFile(unfinished, file, { flag: 'wx', mode: 0o600, flush: file.length > LARGEST_IN_MEMORY })
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    this.#add(name, { bytes, touched: this.#settings.clock.now() })
  }

  #add(name: string, file: CachedFile): void {
    this.#files.set(name, file)
    this.#bytes += file.bytes
  }

  async #makeRoom(bytes: number): Promise<void> {
    for (const name of this.#files.keys()) {
      if (this.#bytes + bytes <= this.#settings.maxBytes) return
      await this.#forget(name)
    }
  }

  async #forget(name: string): Promise<void> {
    const file = this.#files.get(name)
    if (!file) return
    this.#files.delete(name)
    this.#bytes -= file.bytes
    await rm(this.#path(name), { force: true })
  }

  #touch(name: string): void {
    const file = this.#files.get(name)
    if (!file) return
    this.#files.delete(name)
    this.#files.set(name, file)
    const now = this.#settings.clock.now()
    if (now - file.touched < TOUCH_INTERVAL) return
    file.touched = now
    const seconds = now / 1000
    // A file that is gone is no matter.
    void utimes(this.#path(name), seconds, seconds).catch(() => undefined)
  }

  /** Learns what an earlier run kept, and removes what it had not finished. */
  async #recover(): Promise<void> {
    const { directory } = this.#settings
    const found: (CachedFile & { name: string })[] = []
    for (const folder of await entriesOf(directory)) {
      for (const name of await entriesOf(join(directory, folder))) {
        const path = join(directory, folder, name)
        if (!FILE_NAME.test(name)) await rm(path, { force: true })
        else {
          const { size, mtimeMs } = await stat(path)
          found.push({ name, bytes: onDisk(size), touched: mtimeMs })
        }
      }
    }
    for (const { name, ...file } of found.toSorted((a, b) => a.touched - b.touched)) this.#add(name, file)
    this.#isRecovered = true
    await this.#makeRoom(0)
  }

  #path(name: string): string {
    return join(this.#settings.directory, name.slice(0, 2), name)
  }

  #warn(error: unknown): void {
    this.#settings.log.warn('pictures of links are not kept', { error })
  }
}

/** Names of files don't hold what clients ask for. */
function nameOf(etag: string): string {
  return createHash('sha256').update(etag).digest('hex').slice(0, 40)
}

function onDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK) * BLOCK
}

/** Names in a folder; none where there is no folder. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
