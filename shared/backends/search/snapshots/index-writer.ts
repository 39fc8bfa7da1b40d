import { randomUUID } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder } from '../../disk/make-folder.ts'
import { catchUp } from '../catch-up.ts'
import { INDEX_FORMAT, IndexFile, isDamaged } from '../index-file.ts'
import { deleteIndex, indexPath } from '../index-folder.ts'
import { isWorn, mergePieces } from '../merge.ts'
import { type DocumentFeed, PositionForgotten } from '../port.ts'
import { compressed, unpack } from './compressed-file.ts'
import { DamagedSnapshot, type IndexSnapshot, type IndexWriter, type OpenIndex } from './port.ts'

/** @param options.directory in which each job gets a folder of its own; one that a crash left there is deleted */
export function openIndexWriter({ directory, feed }: { directory: string; feed: DocumentFeed }) {
  rmSync(directory, { recursive: true, force: true })
  return {
    format: INDEX_FORMAT,
    async open(companyId: number, snapshots: readonly IndexSnapshot[]): Promise<OpenIndex> {
      const folder = join(directory, randomUUID())
      makeFolder(folder)
      const index = new WorkingIndex(companyId, folder, feed)
      await index.begin(snapshots)
      return index
    },
  } satisfies IndexWriter
}

class WorkingIndex implements OpenIndex {
  readonly unusable: { snapshot: IndexSnapshot; error: unknown }[] = []
  readonly #companyId: number
  readonly #folder: string
  readonly #feed: DocumentFeed
  readonly #path: string
  #base: IndexSnapshot | undefined
  #file: IndexFile | undefined

  constructor(companyId: number, folder: string, feed: DocumentFeed) {
    this.#companyId = companyId
    this.#folder = folder
    this.#feed = feed
    this.#path = indexPath(folder, companyId)
  }

  get base(): IndexSnapshot | undefined {
    return this.#base
  }

  async begin(snapshots: readonly IndexSnapshot[]): Promise<void> {
    for (const snapshot of snapshots) {
      try {
        await unpack(snapshot, this.#path)
        this.#file = new IndexFile(this.#path)
        this.#base = snapshot
        return
      } catch (error) {
        deleteIndex(this.#path)
        if (!(error instanceof DamagedSnapshot) && !isDamaged(error)) throw error
        this.unusable.push({ snapshot, error })
      }
    }
    this.#file = new IndexFile(this.#path)
  }

  async catchUp(milliseconds: number): Promise<{ changes: number; isComplete: boolean }> {
    const signal = AbortSignal.timeout(milliseconds)
    let changes = 0
    const count = (taken: number) => {
      changes += taken
    }
    try {
      try {
        await catchUp(this.#companyId, this.#open(), this.#feed, { signal, count })
      } catch (error) {
        if (!this.#base || !(isDamaged(error) || error instanceof PositionForgotten)) throw error
        this.#startOver(this.#base, error)
        await catchUp(this.#companyId, this.#open(), this.#feed, { signal, count })
      }
      return { changes, isComplete: true }
    } catch (error) {
      if (!signal.aborted) throw error
      return { changes, isComplete: false }
    }
  }

  async pack(): Promise<{ bytes: number; content: Readable }> {
    if (isWorn(this.#open())) await mergePieces(this.#open(), new AbortController().signal)
    const copy = join(this.#folder, 'copy')
    this.#open().copyTo(copy)
    this.#delete()
    return { bytes: statSync(copy).size, content: compressed(copy) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#delete()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #open(): IndexFile {
    if (!this.#file) throw new Error('the index is packed')
    return this.#file
  }

  #startOver(snapshot: IndexSnapshot, error: unknown): void {
    this.unusable.push({ snapshot, error })
    this.#base = undefined
    this.#delete()
    this.#file = new IndexFile(this.#path)
  }

  #delete(): void {
    this.#file?.close()
    this.#file = undefined
    deleteIndex(this.#path)
  }
}
