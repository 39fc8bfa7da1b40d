import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { constants, open, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../clock/port.ts'
import type { IndexDatabase } from './embedded-database.ts'
import { newFileName, type ObjectFiles } from './embedded-files.ts'
import type { IndexedObject, ObjectIndex } from './embedded-index.ts'
import { PartIndex } from './embedded-part-index.ts'
import { CompositionMissing, InvalidParts, PartInFlight, type PartUpload, type ReceivedPart, WrongMd5 } from './port.ts'

/** Bytes written at once. */
const WRITE_BYTES = 1024 * 1024

/** An incoming part. */
export interface IncomingPart {
  /** The upload's key and id. */
  upload: Pick<PartUpload, 'key' | 'id'>
  number: number
  /** Announced size, in bytes. */
  bytes: number
  body: AsyncIterable<Buffer>
  /** Announced MD5, in base64, if any. */
  md5?: string | undefined
}

/** A part has another size or MD5 than announced. */
export class WrongPart extends Error {
  override name = 'WrongPart'
}

interface Bucket {
  database: IndexDatabase
  objects: ObjectIndex
  files: ObjectFiles
  clock: Clock
}

/**
 * The multipart uploads of an embedded bucket. Parts are written to their positions in one file, which becomes the object's, so nothing is
 * copied at the end. A part is recorded in the index once it is on the disk. A repeated part is written to another file first: the previous
 * one stays valid until the new one is complete.
 */
export class EmbeddedParts {
  readonly #bucket: Bucket
  readonly #index: PartIndex
  /** Arriving parts, by upload id and part number. Each promise settles when its part has arrived or failed. */
  readonly #arriving = new Map<string, Map<number, Promise<unknown>>>()
  /** Uploads that are being joined, by id. They accept no parts. */
  readonly #joining = new Map<string, Promise<IndexedObject>>()

  constructor(bucket: Bucket) {
    this.#bucket = bucket
    this.#index = new PartIndex(bucket.database)
  }

  async begin(key: string, { bytes, partBytes }: Pick<PartUpload, 'bytes' | 'partBytes'>): Promise<PartUpload> {
    const upload = { key, id: randomBytes(16).toString('hex'), bytes, partBytes }
    await this.#bucket.database.write(() => this.#index.begin(upload, newFileName()))
    return upload
  }

  /** Stores a part. @returns its ETag @throws CompositionMissing, WrongPart, PartInFlight while the upload is being joined */
  async receive(part: IncomingPart): Promise<string> {
    const { upload, number } = part
    const { file, partBytes } = this.#index.find(upload)
    if (this.#joining.has(upload.id)) throw new PartInFlight(upload.key)
    const arriving = this.#arriving.get(upload.id) ?? new Map<number, Promise<unknown>>()
    this.#arriving.set(upload.id, arriving)
    const before = arriving.get(number)
    const place = { path: this.#bucket.files.composing(file), start: (number - 1) * partBytes }
    const received =
      before || this.#index.hasPart(upload.id, number) ? this.#receiveAgain(part, place, before) : this.#receiveAt(part, place)
    const settled = received.catch(() => undefined)
    arriving.set(number, settled)
    try {
      return await received
    } finally {
      if (arriving.get(number) === settled) arriving.delete(number)
      if (arriving.size === 0) this.#arriving.delete(upload.id)
    }
  }

  isArriving({ id }: PartUpload): boolean {
    return this.#arriving.has(id)
  }

  /** By number. @throws CompositionMissing */
  parts(upload: PartUpload): ReceivedPart[] {
    this.#index.find(upload)
    return this.#index.parts(upload.id)
  }

  /** Concurrent calls share one join. @throws CompositionMissing, InvalidParts, PartInFlight, WrongMd5 */
  async join(upload: PartUpload, named: readonly ReceivedPart[], md5?: string): Promise<IndexedObject> {
    const running = this.#joining.get(upload.id)
    if (running) return running
    if (this.#arriving.has(upload.id)) throw new PartInFlight(upload.key)
    const joining = this.#join(upload, named, md5)
    this.#joining.set(upload.id, joining)
    try {
      return await joining
    } finally {
      this.#joining.delete(upload.id)
    }
  }

  async abort(upload: PartUpload): Promise<void> {
    try {
      const { file } = this.#index.find(upload)
      await this.#bucket.database.write(() => this.#index.remove(upload.id))
      await rm(this.#bucket.files.composing(file), { force: true })
    } catch (error) {
      if (!(error instanceof CompositionMissing)) throw error
    }
  }

  /** Whether the file belongs to an upload. */
  hasFile(file: string): boolean {
    return this.#index.hasFile(file)
  }

  async #join(upload: PartUpload, named: readonly ReceivedPart[], md5: string | undefined): Promise<IndexedObject> {
    const { key, id, bytes } = upload
    const { file } = this.#index.find(upload)
    const parts = this.#index.parts(id)
    if (parts.length !== named.length || parts.some(({ etag }, index) => etag !== named[index]!.etag)) {
      throw new InvalidParts(`the parts of ${key} are not those that were named`)
    }
    const path = this.#bucket.files.composing(file)
    if (md5 !== undefined && (await md5OfFile(path, bytes)) !== md5) throw new WrongMd5(upload)
    await using handle = await open(path, FLAGS)
    await handle.truncate(bytes)
    await handle.sync()
    return this.#appear(upload, file)
  }

  async #receiveAt(part: IncomingPart, { path, start }: Place): Promise<string> {
    const etag = await writePart(part, path, start)
    await this.#remember(part, etag)
    return etag
  }

  /** @param before an arriving part of the same number: the later one wins */
  async #receiveAgain(part: IncomingPart, { path, start }: Place, before: Promise<unknown> | undefined): Promise<string> {
    const beside = this.#bucket.files.temporary()
    try {
      const etag = await writePart(part, beside, 0)
      await before
      await this.#bucket.database.write(() => this.#index.removePart(part.upload.id, part.number))
      await pipeline(createReadStream(beside, { highWaterMark: WRITE_BYTES }), await writeStream(path, start))
      await this.#remember(part, etag)
      return etag
    } finally {
      await rm(beside, { force: true })
    }
  }

  async #remember({ upload, number, bytes }: IncomingPart, etag: string): Promise<void> {
    const received = { number, bytes, etag, modified: this.#bucket.clock.now() }
    await this.#bucket.database.write(() => {
      // The upload may have been aborted meanwhile.
      this.#index.find(upload)
      this.#index.addPart(upload.id, received)
    })
  }

  #appear({ key, id, bytes }: PartUpload, file: string): IndexedObject {
    const { database, objects, files, clock } = this.#bucket
    const made = { key, file, etag: file, bytes, contentType: 'application/octet-stream', modified: clock.now(), hasExtents: false }
    database.transaction(() => {
      // The upload may have been aborted meanwhile.
      this.#index.find({ key, id })
      // The import reads the upload, and stores its CRC-32 with the copy.
      objects.put(made, undefined)
      this.#index.remove(id)
    })
    // Synchronously after the transaction, so that no code of this process sees the object without its file.
    files.settleComposed(file)
    return made
  }
}

/** Location of a part's bytes. */
interface Place {
  path: string
  start: number
}

/** Writes the bytes of a part durably. @returns their MD5 @throws WrongPart */
async function writePart({ body, bytes, md5: announced }: IncomingPart, path: string, start: number): Promise<string> {
  const md5 = createHash('md5')
  let written = 0
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        written += chunk.length
        if (written > bytes) throw new WrongPart('The part has more bytes than its Content-Length says.')
        md5.update(chunk)
        yield chunk
      }
    },
    await writeStream(path, start),
  )
  if (written < bytes) throw new WrongPart('The part has fewer bytes than its Content-Length says.')
  const digest = md5.digest()
  if (announced !== undefined && digest.toString('base64') !== announced) {
    throw new WrongPart('The part has another MD5 than its Content-MD5 says.')
  }
  return digest.toString('hex')
}

const FLAGS = constants.O_RDWR | constants.O_CREAT

/** Writes durably into a new or existing file. */
async function writeStream(path: string, start: number): Promise<Writable> {
  const handle = await open(path, FLAGS)
  return handle.createWriteStream({ start, flush: true, highWaterMark: WRITE_BYTES })
}

/** The worker's program. It reads pieces of 1 MiB. */
const digest = `
const { createHash } = require('node:crypto')
const { createReadStream } = require('node:fs')
const { parentPort, workerData: { path, bytes } } = require('node:worker_threads')
const md5 = createHash('md5')
const file = bytes === 0 ? [] : createReadStream(path, { end: bytes - 1, highWaterMark: 1024 * 1024 })
void (async () => {
  for await (const piece of file) md5.update(piece)
  parentPort.postMessage(md5.digest('hex'))
})()
`

/**
 * The MD5 of the first bytes of a file, in lower-case hex. Runs in a worker thread, because MD5 takes 2 ms a MB.
 * @throws the system's error if the file can't be read
 */
function md5OfFile(path: string, bytes: number): Promise<string> {
  const worker = new Worker(digest, { eval: true, workerData: { path, bytes } })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
}
