import { createReadStream, createWriteStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { type Clock, systemClock } from '../clock/port.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { Compositions, EMBEDDED_PART_RULES } from './embedded-compositions.ts'
import { IndexDatabase } from './embedded-database.ts'
import { ObjectFiles } from './embedded-files.ts'
import { type IndexedObject, ObjectIndex } from './embedded-index.ts'
import { EmbeddedParts, type IncomingPart } from './embedded-parts.ts'
import { checkKey } from './keys.ts'
import {
  type ByteRange,
  type Composition,
  CompositionMissing,
  type CopiedObject,
  type ObjectBody,
  ObjectChanged,
  type ObjectInfo,
  type ObjectLabels,
  ObjectMissing,
  type Objects,
  type Part,
  type PartUpload,
  type PartUploads,
  type ReceivedPart,
  type StoredPart,
} from './port.ts'
import { checkRange, type ResolvedRange, resolveRange } from './ranges.ts'

/** Bytes read from a file at a time. */
const READ_BYTES = 256 * 1024
/** The same for clients, which may be slow: two or three such pieces wait in memory for each. */
const STREAMED_BYTES = 64 * 1024

/** What an embedded bucket can do beyond the port. */
export interface EmbeddedObjects extends Objects, Omit<PartUploads, 'partRequest'> {
  /**
   * Stores a part of a client's upload.
   * @returns its ETag
   * @throws CompositionMissing, WrongPart, PartInFlight while the upload is being joined
   */
  receivePart(part: IncomingPart): Promise<string>
  /** Closes the index and removes unfinished files. */
  close(): void
}

/**
 * A bucket in a directory of the local file system: an SQLite index (keys, labels, sizes) and files with the bytes. An object exists when
 * it is in the index, so one transaction replaces its bytes and labels together. Listings in key order cost as much as they return. Keys
 * never become file names. Data survives `kill -9` and power cuts. Several processes may use the same directory.
 * @param directory created if missing
 */
export function openEmbeddedObjects(directory: string, clock: Clock = systemClock): EmbeddedObjects {
  makeFolder(directory)
  return new DirectoryBucket(directory, clock)
}

class DirectoryBucket implements EmbeddedObjects {
  readonly partRules = EMBEDDED_PART_RULES
  readonly #database: IndexDatabase
  readonly #index: ObjectIndex
  readonly #files: ObjectFiles
  readonly #compositions: Compositions
  readonly #parts: EmbeddedParts
  readonly #clock: Clock
  readonly maxComparedBytes = Number.POSITIVE_INFINITY

  constructor(directory: string, clock: Clock) {
    this.#clock = clock
    this.#database = new IndexDatabase(join(directory, 'index.db'))
    this.#index = new ObjectIndex(this.#database)
    this.#files = new ObjectFiles(directory)
    this.#compositions = new Compositions({
      database: this.#database,
      objects: this.#index,
      files: this.#files,
      clock,
      openObject: (key, range) => this.#open(key, range),
    })
    this.#parts = new EmbeddedParts({ database: this.#database, objects: this.#index, files: this.#files, clock })
    this.#recover()
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    checkKey(key)
    const found = this.#index.find(key)
    return found && info(found)
  }

  async get(key: string, range?: ByteRange): Promise<ObjectBody> {
    checkKey(key)
    if (range) checkRange(range)
    const { object, stream } = await this.#open(key, range)
    return { ...info(object), stream }
  }

  async list(prefix: string, { limit = 1000, cursor }: { limit?: number; cursor?: string } = {}) {
    const pageLength = Math.min(limit, 1000)
    const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString()
    const objects = this.#index.list(prefix, after, pageLength + 1)
    if (objects.length <= pageLength) return { objects }
    objects.pop()
    return { objects, cursor: Buffer.from(objects.at(-1)!.key).toString('base64url') }
  }

  async put(key: string, body: Uint8Array | Readable, labels: ObjectLabels): Promise<ObjectInfo> {
    checkKey(key)
    // Streams come from clients. The import computes their CRC-32, because it reads them anyway.
    const checked = body instanceof Uint8Array ? crc32(body) : undefined
    return this.#appear(key, await this.#files.write(body), labels, checked)
  }

  async putFile(key: string, path: string, labels: ObjectLabels): Promise<ObjectInfo> {
    checkKey(key)
    const checked = await crc32Of(createReadStream(path, { highWaterMark: READ_BYTES }))
    return this.#appear(key, await this.#files.duplicate(path), labels, checked)
  }

  async copy(source: CopiedObject, key: string, labels: ObjectLabels): Promise<ObjectInfo> {
    checkKey(source.key)
    checkKey(key)
    const from = source.from ?? this
    if (!(from instanceof DirectoryBucket)) throw new TypeError('objects are copied between buckets of one kind')
    const { object, opened: duplicate } = await from.#withFile(source.key, async (object) => {
      if (source.etag !== undefined && object.etag !== source.etag) throw new ObjectChanged(source.key)
      return object.hasExtents ? this.#files.write(from.#readExtents(object)) : this.#files.duplicate(from.#files.path(object.file))
    })
    return this.#appear(key, duplicate, labels, source.crc32 ?? from.#index.crc32Of(object.file))
  }

  async fetch(key: string, path: string): Promise<ObjectInfo> {
    checkKey(key)
    const { object } = await this.#withFile(key, async (object) => {
      if (object.hasExtents) await pipeline(this.#readExtents(object), createWriteStream(path, { flags: 'wx' }))
      else await this.#files.share(object.file, path)
    })
    return info(object)
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) checkKey(key)
    await this.#database.write(() => this.#index.delete(keys))
    await this.#removeDiscarded()
  }

  async beginComposition(key: string, labels: ObjectLabels): Promise<Composition> {
    checkKey(key)
    return this.#compositions.begin(key, labels)
  }

  storeParts(composition: Composition, parts: AsyncIterable<Part>): Promise<void> {
    return this.#compositions.store(composition, parts)
  }

  async *storedParts(composition: Composition): AsyncGenerator<StoredPart> {
    for (const { number, bytes } of this.#compositions.parts(composition)) yield { number, bytes }
  }

  async completeComposition(composition: Composition, expected: { bytes: number; crc32: number }): Promise<ObjectInfo> {
    try {
      const completed = await this.#compositions.complete(composition, expected)
      await this.#removeDiscarded()
      return info(completed)
    } catch (error) {
      // An earlier call may have made the object.
      const made = error instanceof CompositionMissing && (await this.#findWith(composition.key, expected))
      if (made) return made
      throw error
    }
  }

  async abortComposition(composition: Composition): Promise<void> {
    await this.#compositions.abort(composition)
    await this.#removeDiscarded()
  }

  async beginParts(key: string, size: Pick<PartUpload, 'bytes' | 'partBytes'>): Promise<PartUpload> {
    checkKey(key)
    return this.#parts.begin(key, size)
  }

  receivePart(part: IncomingPart): Promise<string> {
    return this.#parts.receive(part)
  }

  isArriving(upload: PartUpload): boolean {
    return this.#parts.isArriving(upload)
  }

  async receivedParts(upload: PartUpload): Promise<ReceivedPart[]> {
    return this.#parts.parts(upload)
  }

  async joinParts(upload: PartUpload, parts: readonly ReceivedPart[], md5?: string): Promise<ObjectInfo> {
    try {
      const joined = await this.#parts.join(upload, parts, md5)
      await this.#removeDiscarded()
      return info(joined)
    } catch (error) {
      const made = error instanceof CompositionMissing ? await this.head(upload.key) : undefined
      if (made?.bytes === upload.bytes) return made
      throw error
    }
  }

  abortParts(upload: PartUpload): Promise<void> {
    return this.#parts.abort(upload)
  }

  close(): void {
    // Closed first: it commits pending writes, which settle files.
    this.#database.close()
    this.#files.close()
  }

  /** The object at `key`, if it has this size and CRC-32. */
  async #findWith(key: string, expected: { bytes: number; crc32: number }): Promise<ObjectInfo | undefined> {
    if (this.#index.find(key)?.bytes !== expected.bytes) return undefined
    const { stream, ...found } = await this.get(key)
    return (await crc32Of(stream)) === expected.crc32 ? found : undefined
  }

  async #open(key: string, range?: ByteRange): Promise<{ object: IndexedObject; stream: Readable }> {
    const { object, opened } = await this.#withFile(key, async (object) => {
      const resolved = range && resolveRange(range, object.bytes)
      return object.hasExtents ? this.#readExtents(object, resolved) : read(await this.#files.open(object.file), resolved)
    })
    return { object, stream: opened }
  }

  /** @throws `ENOENT` if the object was removed meanwhile */
  #readExtents({ file: object, bytes }: IndexedObject, range = { start: 0, end: bytes - 1 }): Readable {
    const extents = this.#index.extents(object, range)
    if (extents.length === 0) throw Object.assign(new Error(`no extents of ${object}`), { code: 'ENOENT' })
    const open = (file: string) =>
      this.#files.open(file).catch(() => {
        // A crash may have prevented the file from being settled.
        this.#recover()
        return this.#files.open(file)
      })
    async function* pieces() {
      for (const { file, offset, bytes } of extents) yield* read(await open(file), { start: offset, end: offset + bytes - 1 })
    }
    return Readable.from(pieces(), { objectMode: false })
  }

  /**
   * Uses the file of the object at `key`. Reads the index again if the object is replaced or removed meanwhile, or if another process has
   * committed it but not settled its file yet. `#recover` settles it after a crash.
   */
  async #withFile<T>(key: string, use: (object: IndexedObject) => Promise<T>): Promise<{ object: IndexedObject; opened: T }> {
    for (let attempt = 1; ; attempt += 1) {
      const object = this.#index.find(key)
      if (!object) throw new ObjectMissing(key)
      try {
        return { object, opened: await use(object) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 5) throw error
        this.#recover()
      }
    }
  }

  /** Makes a written file the object at `key`. @param crc32 that of the file, if known */
  async #appear(
    key: string,
    { file, bytes }: { file: string; bytes: number },
    labels: ObjectLabels,
    crc32: number | undefined,
  ): Promise<ObjectInfo> {
    const object = { ...labels, key, file, etag: file, bytes, modified: this.#clock.now(), hasExtents: false }
    // Settles the file synchronously after the COMMIT, so that no code of this process sees the object without its file. `#recover` repairs
    // a crash in between.
    await this.#database.write(
      () => this.#index.put(object, crc32),
      () => this.#files.settle(file),
    )
    await this.#removeDiscarded()
    return info(object)
  }

  /** Cleans up after crashed processes: settles or removes their files, and unlinks files that they discarded. */
  #recover(): void {
    this.#files.recover(
      (file) => this.#index.refersTo(file),
      (file) => this.#compositions.hasFile(file) || this.#parts.hasFile(file),
    )
    const discarded = this.#index.discarded()
    if (discarded.length === 0 || this.#files.areHeld()) return
    for (const file of discarded) this.#files.removeSettled(file)
    this.#database.transaction(() => this.#index.forget(discarded))
  }

  async #removeDiscarded(): Promise<void> {
    const files = this.#index.discarded()
    if (files.length === 0 || this.#files.areHeld()) return
    for (const file of files) await this.#files.remove(file)
    await this.#database.write(() => this.#index.forget(files))
  }
}

function info({ file, hasExtents, ...object }: IndexedObject): ObjectInfo {
  return object
}

/** @returns unsigned */
async function crc32Of(stream: Readable): Promise<number> {
  let crc = 0
  for await (const chunk of stream) crc = crc32(chunk, crc)
  return crc
}

function read(handle: FileHandle, range: ResolvedRange | undefined): Readable {
  return handle.createReadStream({ ...range, highWaterMark: STREAMED_BYTES })
}
