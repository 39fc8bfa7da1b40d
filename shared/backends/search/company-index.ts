import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { inTime, unlimited } from '../../deadline.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { catchUp } from './catch-up.ts'
import { INDEX_FORMAT, IndexFile, isDamaged } from './index-file.ts'
import { deleteIndex } from './index-folder.ts'
import { isWorn, mergePieces } from './merge.ts'
import { type DocumentFeed, IndexBehind, PositionForgotten } from './port.ts'
import type { IndexSnapshot, IndexSnapshots } from './snapshots/port.ts'
import { restore } from './snapshots/restore.ts'

interface CompanyIndexOptions {
  companyId: number
  /** Path of the index file. */
  path: string
  feed: DocumentFeed
  snapshots?: IndexSnapshots
  /** Milliseconds that a caller waits until the index is up to date; without limit where absent. */
  maxWaitMs?: number
  /** Largest index file. */
  maxBytes?: number
  /** Makes room for the index file of a snapshot, in bytes. */
  makeRoom?: (bytes: number) => void
}

/** Most rebuilds of a damaged index in one call: every snapshot may be damaged, before the feed remains. */
const MOST_ATTEMPTS = 4

/** The file is the edition that a reader found damaged. */
class Refused extends Error {
  override name = 'Refused'
}

/** One company's index: opens its file when first used, keeps it up to date, and builds it again when it is damaged or too old. */
export class CompanyIndex {
  readonly #options: CompanyIndexOptions
  readonly #ending = new AbortController()
  #file: IndexFile | undefined
  /** Why its file must be rebuilt. */
  #damage: unknown
  /** The edition that a reader of the file found damaged. */
  #refused: string | undefined
  /** The snapshot from which the file was made, if any, and names of unusable ones. */
  #began: IndexSnapshot | undefined
  readonly #unusable = new Set<string>()
  #users = 0
  /** The running catch-up, and the next one. A call waits for the next one, because the running one began before it. */
  #running: Promise<IndexFile> | undefined
  #next: Promise<IndexFile> | undefined

  constructor(options: CompanyIndexOptions) {
    this.#options = options
  }

  /** Whether no call uses it and no catch-up runs, so that it can be closed and opened again later. */
  get idle(): boolean {
    return this.#users === 0 && !this.#running
  }

  /**
   * Runs `work` on the index as soon as everything committed before this call is in it.
   * @throws IndexBehind when that takes longer than a caller waits (the catch-up continues), and errors of the feed
   */
  async use<T>(work: (index: IndexFile) => T): Promise<T> {
    this.#users++
    const end = performance.now() + (this.#options.maxWaitMs ?? Infinity)
    try {
      const index = await this.#inTime(this.#upToDate(), end)
      try {
        return work(index)
      } catch (error) {
        if (!isDamaged(error)) throw error
        this.#damage = error
        return work(await this.#inTime(this.#upToDate(), end))
      }
    } finally {
      this.#users--
    }
  }

  /** Merges the pieces of an idle index. A concurrent search waits for a slice at most. */
  async mergeWorn(): Promise<void> {
    const file = this.#file
    if (!this.idle || !file?.isInPlace || !isWorn(file)) return
    this.#users++
    try {
      await mergePieces(file, this.#ending.signal)
    } catch (error) {
      // The file was replaced, or is needed no more.
      if (this.#file === file && !this.#ending.signal.aborted) throw error
    } finally {
      this.#users--
    }
  }

  /** Marks this edition of the file for a rebuild before its next use. */
  damaged(edition: string): void {
    this.#refused = edition
  }

  /** Ends a running catch-up (waiting calls get an `AbortError`) and closes the file. */
  async close(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled([this.#running, this.#next])
    this.#file?.close()
    this.#file = undefined
  }

  /** Closes and deletes the file. To be called when the index is idle. */
  discard(): void {
    this.#ending.abort()
    this.#delete()
  }

  /** @param end deadline of the caller, by the clock of `performance.now()` */
  #inTime(index: Promise<IndexFile>, end: number): Promise<IndexFile> {
    if (end === Infinity) return index
    return inTime(index, end - performance.now(), () => {
      throw new IndexBehind(`the index of company ${this.#options.companyId} is being brought up to date`)
    })
  }

  #upToDate(): Promise<IndexFile> {
    if (this.#next) return this.#next
    if (!this.#running) return this.#start()
    const start = () => this.#start()
    this.#next = this.#running.then(start, start)
    return this.#next
  }

  #start(): Promise<IndexFile> {
    this.#next = undefined
    // Outlives the request that began it, because others wait for it.
    const running = unlimited(() => this.#catchUp()).finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  async #catchUp(): Promise<IndexFile> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#catchUpOnce()
      } catch (error) {
        if (!isDamaged(error) && !(error instanceof PositionForgotten) && !(error instanceof Refused)) throw error
        this.#damage = error
        if (attempt === MOST_ATTEMPTS) throw error
      }
    }
  }

  async #catchUpOnce(): Promise<IndexFile> {
    const { companyId, feed, snapshots } = this.#options
    this.#ending.signal.throwIfAborted()
    if (this.#damage !== undefined) await this.#discardDamaged()
    if (this.#file && !this.#file.isInPlace) this.#delete()
    this.#file ??= await this.#open()
    if (this.#file.edition === this.#refused) throw new Refused('a reader of the index found it damaged')
    let changes = 0
    const count = (stored: number) => {
      changes += stored
    }
    await catchUp(companyId, this.#file, feed, { signal: this.#ending.signal, count })
    if (changes > 0) await snapshots?.took(companyId, INDEX_FORMAT, this.#began?.asOf ?? 0, changes)
    return this.#file
  }

  /** Without a snapshot the index is built from the feed: the company is small, or snapshots are off. */
  async #open(): Promise<IndexFile> {
    const { path, maxBytes, snapshots, ...options } = this.#options
    // An operator may have deleted indexes to force a rebuild: the whole folder, or a file without its log.
    makeFolder(dirname(path))
    if (!existsSync(path)) deleteIndex(path)
    if (snapshots && !existsSync(path)) this.#began = await restore({ ...options, path, snapshots, maxBytes }, this.#unusable)
    this.#ending.signal.throwIfAborted()
    return new IndexFile(path, maxBytes)
  }

  /** The snapshot that a damaged file began with is not used again. */
  async #discardDamaged(): Promise<void> {
    const { companyId, snapshots } = this.#options
    const [began, damage] = [this.#began, this.#damage]
    this.#delete()
    this.#damage = undefined
    this.#began = undefined
    if (!began) return
    this.#unusable.add(began.name)
    await snapshots?.isUnusable(companyId, began, damage)
  }

  #delete(): void {
    this.#file?.close()
    this.#file = undefined
    deleteIndex(this.#options.path)
  }
}
