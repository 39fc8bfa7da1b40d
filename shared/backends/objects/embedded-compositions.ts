import { randomBytes } from 'node:crypto'
import { constants, type FileHandle, open, rm } from 'node:fs/promises'
import { combineCrc32 } from '../../crc32.ts'
import type { Clock } from '../clock/port.ts'
import { BlockWriter } from './block-writer.ts'
import { checkPart, checkParts } from './composition.ts'
import { CompositionIndex, type PlacedPart } from './embedded-composition-index.ts'
import type { IndexDatabase } from './embedded-database.ts'
import { isAlive, type ObjectFiles } from './embedded-files.ts'
import type { IndexedObject, ObjectIndex } from './embedded-index.ts'
import { PartWriter } from './part-writer.ts'
import {
  type Composition,
  CompositionMissing,
  InvalidParts,
  ObjectChanged,
  type ObjectLabels,
  type Part,
  type PartRules,
  WrongChecksum,
} from './port.ts'

/** Files take everything that has bytes. */
export const EMBEDDED_PART_RULES: PartRules = {
  minBytes: 1,
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxParts: Number.MAX_SAFE_INTEGER,
  minRangeSourceBytes: 0,
}

/** Age of unfinished compositions that are removed, in milliseconds. */
const EXPIRY = 7 * 24 * 60 * 60 * 1000

/** What compositions work with. */
interface Bucket {
  database: IndexDatabase
  objects: ObjectIndex
  files: ObjectFiles
  clock: Clock
  /** Opens the file of an object for reading. @throws ObjectMissing */
  openObject(key: string): Promise<{ object: IndexedObject; handle: FileHandle }>
}

/**
 * The compositions of an embedded bucket. Parts are appended to a file as they come. When they came in order, that file becomes the object's.
 * Otherwise, or while somebody still appends to it, the parts are copied to a new one. Writers at the same time have a file each.
 */
export class Compositions {
  readonly #bucket: Bucket
  readonly #index: CompositionIndex

  constructor(bucket: Bucket) {
    this.#bucket = bucket
    this.#index = new CompositionIndex(bucket.database)
    this.#index.removeBegunBefore(bucket.clock.now() - EXPIRY)
  }

  begin(key: string, labels: ObjectLabels): Composition {
    const composition = { key, id: randomBytes(16).toString('hex') }
    this.#index.begin(composition, labels, this.#bucket.clock.now())
    return composition
  }

  /** Parts by number. @throws CompositionMissing */
  parts(composition: Composition): PlacedPart[] {
    return this.#index.parts(composition)
  }

  /** Whether the file belongs to a composition. */
  hasFile(file: string): boolean {
    return this.#index.hasFile(file)
  }

  /** Appends parts, one after the other. Whole ones stay when the source or a later part fails. */
  async store(composition: Composition, parts: AsyncIterable<Part>): Promise<void> {
    const { file, end } = this.#index.claim(composition, this.#bucket.files.writer, isAlive)
    try {
      // It is made after the index knows it, so a file that the index doesn't know is left over.
      await this.#withFile(composition, file, constants.O_RDWR | constants.O_CREAT, async (handle) => {
        const writer = new PartWriter(file, handle, end, (placed) => this.#index.add(composition, placed))
        try {
          for await (const part of parts) await this.#append(writer, part)
        } finally {
          await writer.end()
        }
      })
    } finally {
      this.#index.release(file)
    }
  }

  /** Makes the object. @throws CompositionMissing, InvalidParts, WrongChecksum */
  async complete(composition: Composition, expected: { bytes: number; crc32: number }): Promise<IndexedObject> {
    const parts = this.#index.parts(composition)
    checkParts(parts, expected.bytes, EMBEDDED_PART_RULES)
    const crc = parts.reduce((whole, part) => combineCrc32(whole, part.crc32, part.bytes), 0)
    if (crc !== expected.crc32) throw new WrongChecksum(composition.key)
    const { files } = this.#bucket
    const inOrder = fileInOrder(parts)
    if (inOrder === undefined || !this.#index.claimFile(inOrder, files.writer, isAlive)) {
      const gathered = await this.#gather(composition, parts, expected.crc32)
      try {
        return await this.#appear(composition, gathered, () => files.settle(gathered.file))
      } catch (error) {
        await files.remove(gathered.file)
        throw error
      }
    }
    try {
      await this.#withFile(composition, inOrder, constants.O_RDWR, async (handle) => {
        // Behind the parts there may be bytes of an interrupted writer.
        await handle.truncate(expected.bytes)
        await handle.sync()
      })
      return await this.#appear(composition, { file: inOrder, bytes: expected.bytes }, () => files.settleComposed(inOrder))
    } finally {
      this.#index.release(inOrder)
    }
  }

  /** Ends a composition without an object. */
  async abort(composition: Composition): Promise<void> {
    const files = this.#index.files(composition)
    this.#index.remove(composition)
    await this.#unlink(files)
  }

  async #append(writer: PartWriter, part: Part): Promise<void> {
    checkPart(part, EMBEDDED_PART_RULES)
    if ('bytes' in part) return writer.append(part, (blocks) => blocks.append(part.bytes))
    const { object, handle } = await this.#bucket.openObject(part.copy)
    try {
      if (part.etag !== undefined && part.etag !== object.etag) throw new ObjectChanged(part.copy)
      const { start, end } = 'size' in part ? { start: 0, end: part.size - 1 } : part
      if ('size' in part && part.size !== object.bytes) throw new ObjectChanged(part.copy)
      if (end >= object.bytes) throw new InvalidParts(`part ${part.number} ends after the end of its source`)
      await writer.append(part, (blocks) => blocks.appendFrom(handle, start, end))
    } finally {
      await handle.close()
    }
  }

  /** Copies parts to a new file, in order. @throws WrongChecksum when the disk has other bytes than were written */
  async #gather(composition: Composition, parts: readonly PlacedPart[], expected: number): Promise<{ file: string; bytes: number }> {
    return this.#bucket.files.fill(async (target) => {
      const blocks = new BlockWriter(target, 0)
      let crc = 0
      for (const { file, offset, bytes } of parts) {
        const append = (source: FileHandle) => blocks.appendFrom(source, offset, offset + bytes - 1)
        crc = combineCrc32(crc, await this.#withFile(composition, file, constants.O_RDONLY, append), bytes)
      }
      await blocks.flush()
      if (crc !== expected) throw new WrongChecksum(composition.key)
    })
  }

  /** Makes a file the object and ends the composition, both or none. @throws CompositionMissing when it was ended meanwhile */
  async #appear(composition: Composition, { file, bytes }: { file: string; bytes: number }, settle: () => void): Promise<IndexedObject> {
    const { database, objects, clock } = this.#bucket
    const files = this.#index.files(composition)
    const object = database.transaction(() => {
      const labels = this.#index.labels(composition)
      const made = { key: composition.key, file, etag: file, bytes, ...labels, modified: clock.now() }
      objects.put(made)
      this.#index.remove(composition)
      return made
    })
    // In one tick with the transaction, so that no other code of this process sees the object without its file.
    settle()
    await this.#unlink(files.filter((other) => other !== file))
    return object
  }

  /** @throws CompositionMissing when the file is gone because the composition was ended meanwhile */
  async #withFile<T>({ key }: Composition, file: string, flags: number, use: (handle: FileHandle) => Promise<T>): Promise<T> {
    const handle = await open(this.#bucket.files.composing(file), flags).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new CompositionMissing(key) : error
    })
    try {
      return await use(handle)
    } finally {
      await handle.close()
    }
  }

  async #unlink(files: readonly string[]): Promise<void> {
    for (const file of files) await rm(this.#bucket.files.composing(file), { force: true })
  }
}

/** The file that has these parts in order and without gaps, from its beginning on. */
function fileInOrder(parts: readonly PlacedPart[]): string | undefined {
  let end = 0
  for (const { file, offset, bytes } of parts) {
    if (file !== parts[0]!.file || offset !== end) return undefined
    end += bytes
  }
  return parts[0]!.file
}
