import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, constants as copyFlags, type FileHandle, link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../disk/make-folder.ts'

/** Names of this process's open writers. A crashed process may have had the same pid, but not the same names. */
const openHere = new Set<string>()

/**
 * The files of an embedded bucket. Their names are random, so keys never become file names. A file is written and synced in its writer's
 * folder (`incoming/<pid>-<random>/`), or in `composing/`, which outlives writers. Once the index refers to it, it is settled: moved to
 * `data/<last two digits>/`. Orphaned files are thus found without a walk through the bucket.
 */
export class ObjectFiles {
  readonly #directory: string
  /** Name of this writer. */
  readonly writer = `${process.pid}-${randomUUID()}`
  readonly #shards = new Set<string>()

  constructor(directory: string) {
    this.#directory = directory
    openHere.add(this.writer)
    makeFolder(join(directory, 'incoming', this.writer))
    makeFolder(join(directory, 'composing'))
  }

  /** Ends this writer and removes its unfinished files. */
  close(): void {
    openHere.delete(this.writer)
    rmSync(join(this.#directory, 'incoming', this.writer), { recursive: true, force: true })
  }

  /** Writes bytes to a new file, durably. A failure leaves no file. @returns the file and its size in bytes */
  async write(body: Uint8Array | Readable): Promise<{ file: string; bytes: number }> {
    return this.#make(async (path) => {
      const handle = await open(path, 'wx')
      const file = handle.createWriteStream({ flush: true, highWaterMark: WRITE_BYTES })
      await pipeline(body instanceof Uint8Array ? [body] : body, file)
      return file.bytesWritten
    })
  }

  /** Makes a new file with the bytes of an immutable one (a settled file of any bucket, or any other), durably. */
  async duplicate(path: string): Promise<{ file: string; bytes: number }> {
    return this.#make(async (copy) => {
      await linkOrCopy(path, copy)
      const handle = await open(copy, 'r+')
      try {
        await handle.sync()
        return (await handle.stat()).size
      } finally {
        await handle.close()
      }
    })
  }

  /** Makes a read-only file elsewhere with the bytes of a settled file. Not synced. */
  async share(file: string, path: string): Promise<void> {
    await linkOrCopy(this.path(file), path)
  }

  /** Moves a file to its final folder, once the index refers to it. */
  settle(file: string): void {
    this.#settle(this.#incoming(file), file)
  }

  /** Moves a composed file to its final folder, once the index refers to it. The recovery of another process may have done it already. */
  settleComposed(file: string): void {
    try {
      this.#settle(this.composing(file), file)
    } catch (error) {
      if (!existsSync(this.path(file))) throw error
    }
  }

  /** @throws `ENOENT` before the file is settled, and after its removal */
  open(file: string): Promise<FileHandle> {
    return open(this.path(file), 'r')
  }

  /** Path of a settled file. */
  path(file: string): string {
    return join(this.#shard(file), file)
  }

  /** Whether a running backup keeps files from being removed. */
  areHeld(): boolean {
    return filesIn(join(this.#directory, HOLDS)).some(isAlive)
  }

  /** Path of a file that is being composed. */
  composing(file: string): string {
    return join(this.#directory, 'composing', file)
  }

  /** Path for a temporary file of this writer, which the recovery removes after a crash. */
  temporary(): string {
    return this.#incoming(newFileName())
  }

  /** Removes a settled file, or one of this writer. */
  async remove(file: string): Promise<void> {
    await rm(this.path(file), { force: true })
    await rm(this.#incoming(file), { force: true })
  }

  /** Removes a settled file, synchronously. */
  removeSettled(file: string): void {
    rmSync(this.path(file), { force: true })
  }

  /** Cleans up after crashed writers: settles files that objects refer to and removes those that compositions don't. */
  recover(isReferred: (file: string) => boolean, isComposed: (file: string) => boolean): void {
    for (const file of filesIn(join(this.#directory, 'composing'))) {
      // Checked first: during completion a file belongs to both its composition and the object.
      if (isComposed(file)) continue
      if (isReferred(file)) this.settleComposed(file)
      else rmSync(this.composing(file), { force: true })
    }
    const incoming = join(this.#directory, 'incoming')
    for (const writer of readdirSync(incoming).filter((name) => !isAlive(name))) {
      for (const file of filesIn(join(incoming, writer))) {
        if (isReferred(file)) this.#settle(join(incoming, writer, file), file)
      }
      rmSync(join(incoming, writer), { recursive: true, force: true })
    }
  }

  async #make(fill: (path: string) => Promise<number>): Promise<{ file: string; bytes: number }> {
    const file = newFileName()
    try {
      return { file, bytes: await fill(this.#incoming(file)) }
    } catch (error) {
      await rm(this.#incoming(file), { force: true })
      throw error
    }
  }

  #settle(from: string, file: string): void {
    const shard = this.#shard(file)
    if (!this.#shards.has(shard)) {
      makeFolder(shard)
      this.#shards.add(shard)
    }
    renameSync(from, this.path(file))
  }

  #shard(file: string): string {
    return join(this.#directory, 'data', shardOf(file))
  }

  #incoming(file: string): string {
    return join(this.#directory, 'incoming', this.writer, file)
  }
}

/** Folder with one file for each process that holds a bucket's files. */
const HOLDS = 'holds'

/** Name of the folder of a settled file. */
export const shardOf = (file: string) => file.slice(-2)

/**
 * Keeps the settled files of a bucket, even of deleted objects, until released or this process ends. Discarded files are removed
 * afterwards.
 * @param directory of the bucket
 * @returns a function that releases them
 */
export function holdFiles(directory: string): () => void {
  const folder = join(directory, HOLDS)
  makeFolder(folder)
  for (const holder of filesIn(folder)) if (!isAlive(holder)) rmSync(join(folder, holder), { force: true })
  const holder = `${process.pid}-${randomUUID()}`
  openHere.add(holder)
  writeFileSync(join(folder, holder), '')
  return () => {
    openHere.delete(holder)
    rmSync(join(folder, holder), { force: true })
  }
}

/** Makes a hard link, because files never change, or a copy on another file system. @throws `ENOENT` if the file is missing */
async function linkOrCopy(path: string, copy: string): Promise<void> {
  await link(path, copy).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw error
    await copyFile(path, copy, copyFlags.COPYFILE_FICLONE | copyFlags.COPYFILE_EXCL)
  })
}

/** Streams come in chunks of 64 KB. Chunks that arrive during a write are written together, without a copy. */
const WRITE_BYTES = 1024 * 1024

/** Names in a directory; empty if another process has removed it. */
function filesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}

/** 32 hexadecimal digits: the time, so that the database index of file names grows at its end, and 80 random bits. */
export function newFileName(): string {
  return Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
}

/** Whether a writer may still be active. */
export function isAlive(writer: string): boolean {
  const pid = Number.parseInt(writer, 10)
  // In containers every server has the same pid, so the name decides.
  if (pid === process.pid) return openHere.has(writer)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
