import { randomBytes } from 'node:crypto'
import { constants, type FileHandle, open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { combineCrc32 } from '../../crc32.ts'
import { inParallel } from '../../parallel.ts'
import type { Clock } from '../clock/port.ts'
import { checkPart, checkParts, partBytes } from './composition.ts'
import { CompositionIndex, type PlacedPart } from './embedded-composition-index.ts'
import type { IndexDatabase } from './embedded-database.ts'
import { isAlive, newFileName, type ObjectFiles } from './embedded-files.ts'
import type { Extent, IndexedObject, ObjectIndex } from './embedded-index.ts'
import { PartWriter } from './part-writer.ts'
import {
  type Composition,
  CompositionMissing,
  InvalidParts,
  ObjectChanged,
  type ObjectLabels,
  type Part,
  type PartRules,
  RangeOutside,
  WrongChecksum,
} from './port.ts'
import type { ResolvedRange } from './ranges.ts'

/** Files accept parts of any size except 0. */
export const EMBEDDED_PART_RULES: PartRules = {
  minBytes: 1,
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxParts: Number.MAX_SAFE_INTEGER,
  minRangeSourceBytes: 0,
}

/** Age at which unfinished compositions are removed, in milliseconds. */
const EXPIRY = 7 * 24 * 60 * 60 * 1000

/** Smaller copies are appended, because an extent costs more than copying their bytes. */
const EXTENT_BYTES = 64 * 1024
/** Sources read in parallel. */
const READ_AT_ONCE = 4

/** A part copied from another object. */
type CopiedPart = Extract<Part, { copy: string }>

/** Dependencies of compositions. */
interface Bucket {
  database: IndexDatabase
  objects: ObjectIndex
  files: ObjectFiles
  clock: Clock
  /** An object with a range of its bytes. @throws ObjectMissing, RangeOutside */
  openObject(key: string, range: ResolvedRange): Promise<{ object: IndexedObject; stream: Readable }>
}

/**
 * The compositions of an embedded bucket. Bytes and small copies are appended to a file. Larger copies become references into the source's
 * immutable file, which is read once for its CRC-32. If one file of the composition holds all parts in order, it becomes the object's file;
 * otherwise the object has extents. Concurrent writers have a file each.
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

  /** Stores parts in sequence, reading large sources in parallel. Complete parts stay when a later one fails. */
  async store(composition: Composition, parts: AsyncIterable<Part>): Promise<void> {
    const { file, end } = this.#index.claim(composition, this.#bucket.files.writer, isAlive)
    try {
      // Created after its index entry, so a file without one is orphaned.
      await this.#withFile(composition, file, constants.O_RDWR | constants.O_CREAT, async (handle) => {
        const writer = new PartWriter(file, handle, end, (placed) => this.#index.add(composition, placed))
        try {
          await inParallel(this.#appended(parts, writer), READ_AT_ONCE, (part) => this.#refer(part, writer))
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
    const own = this.#index.files(composition)
    const file = fileInOrder(parts)
    if (file === undefined || !own.includes(file) || !this.#index.claimFile(file, this.#bucket.files.writer, isAlive)) {
      return await this.#appear(composition, { bytes: expected.bytes, extents: extentsOf(parts) })
    }
    try {
      // An interrupted writer may have left bytes after the parts.
      await this.#withFile(composition, file, constants.O_RDWR, (handle) => handle.truncate(expected.bytes))
      return await this.#appear(composition, { ...expected, file })
    } finally {
      this.#index.release(file)
    }
  }

  /** Ends a composition without an object. */
  async abort(composition: Composition): Promise<void> {
    const files = this.#index.files(composition)
    this.#index.remove(composition)
    await this.#unlink(files)
  }

  /** Appends parts. Yields the large copies instead. */
  async *#appended(parts: AsyncIterable<Part>, writer: PartWriter): AsyncGenerator<CopiedPart> {
    for await (const part of parts) {
      checkPart(part, EMBEDDED_PART_RULES)
      if ('bytes' in part) await writer.append(part, (blocks) => blocks.append(part.bytes))
      else if (partBytes(part) < EXTENT_BYTES || this.#bucket.objects.find(part.copy)?.hasExtents)
        await writer.append(part, (blocks) => this.#withSource(part, ({ stream }) => blocks.appendAll(stream)))
      else yield part
      await writer.stepIfDue()
    }
  }

  /** Makes a part that refers to the bytes of its source. Reads them for their CRC-32. */
  async #refer(part: CopiedPart, writer: PartWriter): Promise<void> {
    await this.#withSource(part, async ({ object, start, stream }) => {
      if (object.hasExtents) throw new ObjectChanged(part.copy)
      let crc = 0
      for await (const piece of stream) crc = crc32(piece, crc)
      writer.refer({ number: part.number, bytes: partBytes(part), file: object.file, offset: start, crc32: crc, source: part.copy })
    })
  }

  async #withSource<T>(
    part: CopiedPart,
    use: (source: { object: IndexedObject; start: number; stream: Readable }) => Promise<T>,
  ): Promise<T> {
    const { start, end } = 'size' in part ? { start: 0, end: part.size - 1 } : part
    const { object, stream } = await this.#bucket.openObject(part.copy, { start, end }).catch((error: unknown) => {
      throw error instanceof RangeOutside ? new InvalidParts(`part ${part.number} starts after the end of its source`) : error
    })
    try {
      if (part.etag !== undefined && part.etag !== object.etag) throw new ObjectChanged(part.copy)
      if ('size' in part && part.size !== object.bytes) throw new ObjectChanged(part.copy)
      if (end >= object.bytes) throw new InvalidParts(`part ${part.number} ends after the end of its source`)
      return await use({ object, start, stream })
    } finally {
      stream.destroy()
    }
  }

  /** Makes the object and ends the composition in one transaction. @throws CompositionMissing if it has ended meanwhile */
  async #appear(
    composition: Composition,
    { bytes, file = newFileName(), crc32, extents = [] }: { bytes: number; file?: string; crc32?: number; extents?: readonly Extent[] },
  ): Promise<IndexedObject> {
    const { database, objects, files, clock } = this.#bucket
    const own = this.#index.files(composition)
    const kept = own.filter((each) => each === file || extents.some((extent) => extent.file === each))
    for (const each of kept) await this.#withFile(composition, each, constants.O_RDWR, (handle) => handle.sync())
    const object = database.transaction(() => {
      const labels = this.#index.labels(composition)
      const made = { key: composition.key, file, etag: file, bytes, ...labels, modified: clock.now(), hasExtents: extents.length > 0 }
      objects.put(made, crc32)
      objects.setExtents(file, extents)
      this.#index.remove(composition)
      return made
    })
    // Synchronously after the transaction, so that no code of this process sees the object without its files.
    for (const each of kept) files.settleComposed(each)
    await this.#unlink(own.filter((each) => !kept.includes(each)))
    return object
  }

  /** @throws CompositionMissing if the composition ended meanwhile, which removes the file */
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

/** The file that holds exactly these parts, in order and without gaps. */
function fileInOrder(parts: readonly PlacedPart[]): string | undefined {
  let end = 0
  for (const { file, offset, bytes } of parts) {
    if (file !== parts[0]!.file || offset !== end) return undefined
    end += bytes
  }
  return parts[0]!.file
}

/** Parts as extents. Merges adjoining ones. */
function extentsOf(parts: readonly PlacedPart[]): Extent[] {
  const extents: Extent[] = []
  for (const { file, offset, bytes } of parts) {
    const last = extents.at(-1)
    if (last && last.file === file && last.offset + last.bytes === offset) last.bytes += bytes
    else extents.push({ file, offset, bytes })
  }
  return extents
}
