import { link, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOutOfSpace } from '../out-of-space.ts'
import { Workspace } from './workspace.ts'

export interface KeptFilesSettings {
  /** Most bytes of files that are kept. */
  maxBytes: number
  /** The directory in which they have one of their own; by default that for temporary files, when the first is kept. */
  parent?: string
}

/** A file for one who uses it. Nobody writes to it, and what is made of it may lie beside it. */
export interface UsedFile extends AsyncDisposable {
  path: string
}

interface Kept {
  path: string
  bytes: number
}

/**
 * Files that are fetched from elsewhere again and again: a bounded number of bytes stays on the disk, and those that were used longest ago go. Who
 * uses a file has it under a name of its own, so it stays until the last has done with it. It begins empty: files of a process that crashed are
 * removed with the other temporary files.
 */
export class KeptFiles {
  readonly #settings: KeptFilesSettings
  /** The longest unused first. */
  readonly #kept = new Map<string, Kept>()
  readonly #fetching = new Map<string, Promise<Kept>>()
  #directory: Promise<string> | undefined
  #bytes = 0
  #count = 0

  constructor(settings: KeptFilesSettings) {
    this.#settings = settings
  }

  /**
   * Gives a file, fetched once for all who ask meanwhile.
   * @param name of what the file has in it, which never changes
   * @param bytes that it will take, for which room is made before it comes; 0 where that isn't known
   * @param fetch writes it to a path where nothing is; after a failure it may be there, incomplete
   * @throws what `fetch` throws
   */
  async use(name: string, bytes: number, fetch: (path: string) => Promise<unknown>): Promise<UsedFile> {
    const kept = this.#kept.get(name) ?? (await this.#fetched(name, bytes, fetch))
    this.#touch(name, kept)
    try {
      return await this.#share(kept)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // Somebody cleans temporary files, or it made room for others since.
      await this.#forget(name, kept)
      return await this.#share(await this.#fetched(name, bytes, fetch))
    }
  }

  /** Removes all. */
  async close(): Promise<void> {
    const directory = await this.#directory
    if (directory !== undefined) await rm(directory, { recursive: true, force: true })
  }

  async #share({ path }: Kept): Promise<UsedFile> {
    const workspace = await Workspace.open('used', await this.#ownDirectory())
    const shared = workspace.path('file')
    try {
      await link(path, shared)
    } catch (error) {
      await workspace[Symbol.asyncDispose]()
      throw error
    }
    return { path: shared, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() }
  }

  #fetched(name: string, bytes: number, fetch: (path: string) => Promise<unknown>): Promise<Kept> {
    const running = this.#fetching.get(name)
    if (running) return running
    const fetched = this.#fetch(name, bytes, fetch).finally(() => this.#fetching.delete(name))
    this.#fetching.set(name, fetched)
    return fetched
  }

  async #fetch(name: string, bytes: number, fetch: (path: string) => Promise<unknown>): Promise<Kept> {
    const directory = await this.#ownDirectory()
    // It is gone where somebody cleans temporary files.
    await mkdir(directory, { recursive: true, mode: 0o700 })
    this.#count += 1
    const path = join(directory, `${this.#count}`)
    // The room is held until the file is there.
    this.#bytes += bytes
    try {
      await this.#makeRoom()
      await fetch(path).catch(async (error) => {
        await rm(path, { force: true })
        if (!isOutOfSpace(error)) throw error
        await this.#makeRoom(0)
        await fetch(path)
      })
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      this.#bytes -= bytes
    }
    return await this.#keep(name, path)
  }

  async #keep(name: string, path: string): Promise<Kept> {
    const kept = { path, bytes: (await stat(path)).size }
    this.#bytes += kept.bytes
    await this.#makeRoom()
    this.#kept.set(name, kept)
    return kept
  }

  async #makeRoom(most = this.#settings.maxBytes): Promise<void> {
    for (const [name, kept] of this.#kept) {
      if (this.#bytes <= most) return
      await this.#forget(name, kept)
    }
  }

  #touch(name: string, kept: Kept): void {
    if (this.#kept.get(name) !== kept) return
    this.#kept.delete(name)
    this.#kept.set(name, kept)
  }

  async #forget(name: string, kept: Kept): Promise<void> {
    if (this.#kept.get(name) !== kept) return
    this.#kept.delete(name)
    this.#bytes -= kept.bytes
    await rm(kept.path, { force: true })
  }

  #ownDirectory(): Promise<string> {
    this.#directory ??= mkdtemp(join(this.#settings.parent ?? tmpdir(), 'kept-')).catch((error) => {
      this.#directory = undefined
      throw error
    })
    return this.#directory
  }
}
