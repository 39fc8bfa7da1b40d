import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { catchUp } from './catch-up.ts'
import { IndexFile, isDamaged } from './index-file.ts'
import { deleteIndex } from './index-folder.ts'
import { type DocumentFeed, IndexBehind, PositionForgotten } from './port.ts'

export interface CompanyIndexOptions {
  companyId: number
  /** Path of the index file. */
  path: string
  feed: DocumentFeed
  restore?: (companyId: number, toPath: string) => Promise<boolean>
  /** Milliseconds that a caller waits until the index is up to date; without limit where absent. */
  patience?: number
  /** Largest index file. */
  maxBytes?: number
}

/** One company's index: opens its file when first used, keeps it up to date, and builds it again when it is damaged or too old. */
export class CompanyIndex {
  readonly #options: CompanyIndexOptions
  readonly #ending = new AbortController()
  #file: IndexFile | undefined
  /** Whether its file has to be deleted and built again. */
  #damaged = false
  #users = 0
  /** The catch-up that runs, and the next one: a call during a catch-up waits for the next, because the running one began before it. */
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
    try {
      const index = await this.#inTime(this.#upToDate())
      try {
        return work(index)
      } catch (error) {
        if (!isDamaged(error)) throw error
        this.#damaged = true
        return work(await this.#inTime(this.#upToDate()))
      }
    } finally {
      this.#users--
    }
  }

  /** Has the file built again before its next use, if it is this edition. */
  damaged(edition: string): void {
    if (this.#file?.edition === edition) this.#damaged = true
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

  async #inTime(index: Promise<IndexFile>): Promise<IndexFile> {
    const { patience, companyId } = this.#options
    if (patience === undefined) return index
    const answered = new AbortController()
    const tooLong = async () => {
      await pause(patience, undefined, { signal: answered.signal })
      throw new IndexBehind(`the index of company ${companyId} is being brought up to date`)
    }
    try {
      return await Promise.race([index, tooLong()])
    } finally {
      answered.abort()
    }
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
    const running = this.#catchUp().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  async #catchUp(): Promise<IndexFile> {
    try {
      return await this.#catchUpOnce()
    } catch (error) {
      if (!isDamaged(error) && !(error instanceof PositionForgotten)) throw error
      this.#damaged = true
      return await this.#catchUpOnce()
    }
  }

  async #catchUpOnce(): Promise<IndexFile> {
    this.#ending.signal.throwIfAborted()
    if (this.#damaged) this.#rebuild()
    this.#file ??= await this.#open()
    await catchUp(this.#options.companyId, this.#file, this.#options.feed, this.#ending.signal)
    return this.#file
  }

  async #open(): Promise<IndexFile> {
    const { path, maxBytes } = this.#options
    if (!existsSync(path)) await this.#restore()
    return new IndexFile(path, maxBytes)
  }

  /** Without a snapshot the index is built from the feed, which takes longer. */
  async #restore(): Promise<void> {
    const { companyId, path, restore } = this.#options
    if (!restore) return
    const arriving = `${path}.${randomUUID()}`
    const restored = await restore(companyId, arriving).catch(() => false)
    if (restored) renameSync(arriving, path)
    else rmSync(arriving, { force: true })
  }

  /** Makes an empty file, not from the snapshot: that may be the damaged one. */
  #rebuild(): void {
    this.#delete()
    this.#file = new IndexFile(this.#options.path, this.#options.maxBytes)
    this.#damaged = false
  }

  #delete(): void {
    this.#file?.close()
    this.#file = undefined
    deleteIndex(this.#options.path)
  }
}
