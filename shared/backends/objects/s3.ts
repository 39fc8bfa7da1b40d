import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { timeLeft } from '../../deadline.ts'
import { longRequest, requestLimits } from '../aws/request-limits.ts'
import { type Clock, systemClock } from '../clock/port.ts'
import { checkKey } from './keys.ts'
import {
  type ByteRange,
  type Composition,
  CompositionMissing,
  type CopiedObject,
  type CopyInRuns,
  CopyUnfinished,
  type ObjectBody,
  ObjectChanged,
  type ObjectInfo,
  type ObjectLabels,
  ObjectMissing,
  type Objects,
  ObjectsUnavailable,
  type Part,
  type StoredPart,
} from './port.ts'
import { checkRange } from './ranges.ts'
import { completeUpload, wholeOf } from './s3-completion.ts'
import { translated } from './s3-errors.ts'
import { fetchToFile } from './s3-fetch.ts'
import { abortUpload, beginUpload, listParts, S3_PART_RULES, type Upload, type UploadedPart, uploadParts } from './s3-multipart.ts'
import { copySource, fitsXml, listedKey, sdkLabels, toInfo, withoutQuotes } from './s3-values.ts'

/** Longer streams are uploaded in parts of this size, in bytes; the limit of 10,000 parts allows 78 GiB. */
const STREAM_PART_BYTES = 8 * 1024 ** 2
/** Larger objects are copied in parallel parts, in bytes. A single call copies at most 5 GiB, and slowly. */
const MAX_COPY_BYTES = 128 * 1024 ** 2
/** Size of these parts in bytes; the limit of 10,000 parts allows 625 GiB. */
const COPY_PART_BYTES = 64 * 1024 ** 2
/** Time reserved for running part copies to finish, in milliseconds. */
const LAST_COPIES_MS = 15_000
/** Most keys that one call deletes. */
const DELETE_BATCH = 1000

/**
 * A bucket of S3. Needs `s3:ListBucket` besides the rights to its objects: without it S3 answers 403 for missing objects.
 * @param s3.clock source of `modified` of new objects, which S3's answers lack
 */
export function s3Objects(s3: { bucket: string; client?: S3Client; clock?: Clock }): Objects {
  return new Bucket(s3.bucket, s3.client ?? s3Client(), s3.clock ?? systemClock)
}

/** A client with time limits on its requests. Connections may be idle while S3 copies, or while the reader of a body pauses. */
export function s3Client(config: S3ClientConfig = {}): S3Client {
  return new S3Client({ requestHandler: requestLimits(8000, longRequest.requestTimeout), ...config })
}

class Bucket implements Objects {
  readonly partRules = S3_PART_RULES
  readonly #bucket: string
  readonly #client: S3Client
  readonly #clock: Clock

  constructor(bucket: string, client: S3Client, clock: Clock) {
    this.#bucket = bucket
    this.#client = client
    this.#clock = clock
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    checkKey(key)
    const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key })
    try {
      const head = await translated(key, () => this.#client.send(command))
      return toInfo(key, head.ContentLength ?? 0, head)
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined
      throw error
    }
  }

  async get(key: string, range?: ByteRange): Promise<ObjectBody> {
    checkKey(key)
    if (range) checkRange(range)
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: key, Range })
    const got = await translated(key, () => this.#client.send(command))
    const total = got.ContentRange ? Number(got.ContentRange.split('/').at(-1)) : (got.ContentLength ?? 0)
    return { ...toInfo(key, total, got), stream: got.Body as Readable }
  }

  async list(prefix: string, { limit = 1000, cursor }: { limit?: number; cursor?: string } = {}) {
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: prefix,
      MaxKeys: Math.min(limit, 1000),
      ContinuationToken: cursor,
      // XML can't represent every key unencoded.
      EncodingType: 'url',
    })
    const page = await translated(prefix, () => this.#client.send(command))
    const encoded = page.EncodingType === 'url'
    const objects = (page.Contents ?? []).map(({ Key, Size, LastModified, ETag }) => ({
      key: encoded ? listedKey(Key!) : Key!,
      bytes: Size ?? 0,
      modified: LastModified?.getTime() ?? 0,
      etag: withoutQuotes(ETag),
    }))
    return page.IsTruncated ? { objects, cursor: page.NextContinuationToken! } : { objects }
  }

  async put(key: string, body: Uint8Array | Readable, labels: ObjectLabels): Promise<ObjectInfo> {
    checkKey(key)
    if (body instanceof Uint8Array) return this.#putBytes(key, body, labels)
    const blocks = inBlocks(body, STREAM_PART_BYTES)
    const first = await blocks.next()
    if (first.done || first.value.length < STREAM_PART_BYTES) {
      return this.#putBytes(key, first.done ? new Uint8Array() : first.value, labels)
    }
    return this.#putParts(key, labels, async function* () {
      let number = 1
      yield { number, bytes: first.value }
      for await (const bytes of blocks) {
        number += 1
        yield { number, bytes }
      }
    })
  }

  putFile(key: string, path: string, labels: ObjectLabels): Promise<ObjectInfo> {
    return this.put(key, createReadStream(path), labels)
  }

  async copy(source: CopiedObject, key: string, labels: ObjectLabels, inRuns?: CopyInRuns): Promise<ObjectInfo> {
    checkKey(key)
    const from = source.from ?? this
    if (!(from instanceof Bucket)) throw new TypeError('objects are copied between buckets of one kind')
    const found = await from.head(source.key)
    if (!found) throw new ObjectMissing(source.key)
    if (source.etag !== undefined && found.etag !== source.etag) throw new ObjectChanged(source.key)
    if (found.bytes > MAX_COPY_BYTES) {
      if (inRuns) return this.#copyInRuns(from.#bucket, found, { key, labels, inRuns })
      return this.#putParts(key, labels, () => copyParts(from.#bucket, found))
    }
    const command = new CopyObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      CopySource: copySource(from.#bucket, source.key),
      CopySourceIfMatch: found.etag,
      MetadataDirective: 'REPLACE',
      ...sdkLabels(labels),
    })
    const { CopyObjectResult: copied } = await translated(source.key, () => this.#client.send(command, longRequest))
    return this.#stored(key, found.bytes, labels, copied?.ETag)
  }

  async fetch(key: string, path: string): Promise<ObjectInfo> {
    return fetchToFile(this, key, path)
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) checkKey(key)
    // A request that deletes many keys is XML.
    const { single = [], batched = [] } = Object.groupBy(keys, (key) => (fitsXml(key) ? 'batched' : 'single'))
    for (const key of single) {
      await translated(key, () => this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key })))
    }
    for (let start = 0; start < batched.length; start += DELETE_BATCH) await this.#deleteBatch(batched.slice(start, start + DELETE_BATCH))
  }

  async beginComposition(key: string, labels: ObjectLabels): Promise<Composition> {
    checkKey(key)
    const { UploadId } = await beginUpload(this.#client, this.#bucket, key, labels)
    return { key, id: UploadId }
  }

  async storeParts(composition: Composition, parts: AsyncIterable<Part>): Promise<void> {
    await uploadParts(this.#client, this.#upload(composition), parts)
  }

  async *storedParts(composition: Composition): AsyncGenerator<StoredPart> {
    for await (const { number, bytes } of listParts(this.#client, this.#upload(composition))) yield { number, bytes }
  }

  async completeComposition(composition: Composition, expected: { bytes: number; crc32: number }): Promise<ObjectInfo> {
    const upload = this.#upload(composition)
    await completeUpload(this.#client, upload, () => Array.fromAsync(listParts(this.#client, upload)), expected)
    const found = await this.head(composition.key)
    if (!found) throw new CompositionMissing(composition.key)
    return found
  }

  async abortComposition(composition: Composition): Promise<void> {
    await abortUpload(this.#client, this.#upload(composition))
  }

  async #putBytes(key: string, body: Uint8Array, labels: ObjectLabels): Promise<ObjectInfo> {
    const command = new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: body, ChecksumAlgorithm: 'CRC32', ...sdkLabels(labels) })
    const put = await translated(key, () => this.#client.send(command))
    return this.#stored(key, body.length, labels, put.ETag)
  }

  async #putParts(key: string, labels: ObjectLabels, parts: () => AsyncGenerator<UploadedPart>): Promise<ObjectInfo> {
    const upload = await beginUpload(this.#client, this.#bucket, key, labels)
    try {
      const kept = await uploadParts(this.#client, upload, parts())
      const whole = wholeOf(kept)
      const etag = await completeUpload(this.#client, upload, async () => kept, whole)
      return this.#stored(key, whole.bytes, labels, etag)
    } catch (error) {
      // AWS charges for parts of unfinished uploads. A lifecycle rule removes those that this fails to abort.
      await abortUpload(this.#client, upload).catch(() => undefined)
      throw error instanceof CompositionMissing ? new ObjectsUnavailable(`the upload of ${key} was aborted`, { cause: error }) : error
    }
  }

  /** Copies the missing parts, at least one. A run that dies leaves its stored parts to the next. */
  async #copyInRuns(
    bucket: string,
    source: ObjectInfo,
    { key, labels, inRuns }: { key: string; labels: ObjectLabels; inRuns: CopyInRuns },
  ): Promise<ObjectInfo> {
    const { begun } = inRuns
    let upload = begun?.etag === source.etag ? this.#upload({ key, id: begun.id }) : undefined
    const stored = upload && (await this.#numbersOf(upload))
    if (!upload || !stored) {
      upload = await beginUpload(this.#client, this.#bucket, key, labels)
      await inRuns.begin({ id: upload.UploadId, etag: source.etag })
    }
    await uploadParts(this.#client, upload, copyParts(bucket, source, { stored })).catch((error: unknown) => {
      throw error instanceof OutOfTime ? new CopyUnfinished(key) : error
    })
    const kept = await Array.fromAsync(listParts(this.#client, upload))
    const etag = await completeUpload(this.#client, upload, async () => kept, { ...wholeOf(kept), bytes: source.bytes })
    return this.#stored(key, source.bytes, labels, etag)
  }

  /** The numbers of an upload's parts. @returns undefined if the upload has ended */
  async #numbersOf(upload: Upload): Promise<Set<number> | undefined> {
    try {
      return new Set(await Array.fromAsync(listParts(this.#client, upload), ({ number }) => number))
    } catch (error) {
      if (error instanceof CompositionMissing) return undefined
      throw error
    }
  }

  async #deleteBatch(keys: readonly string[]): Promise<void> {
    const command = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) } })
    const { Errors: errors = [] } = await translated(keys[0]!, () => this.#client.send(command))
    const [first] = errors
    if (first) throw new ObjectsUnavailable(`${errors.length} of ${keys.length} objects were not deleted: ${first.Code} ${first.Message}`)
  }

  #upload({ key, id }: Composition): Upload {
    return { Bucket: this.#bucket, Key: key, UploadId: id }
  }

  #stored(key: string, bytes: number, labels: ObjectLabels, etag: string | undefined): ObjectInfo {
    return { ...labels, key, bytes, modified: this.#clock.now(), etag: withoutQuotes(etag) }
  }
}

/** Time ran out before all parts were copied. */
class OutOfTime extends ObjectsUnavailable {}

/**
 * The ranges of an object as parts to copy.
 * @param stored numbers of parts that are already copied
 * @throws OutOfTime after one part or more
 */
async function* copyParts(
  bucket: string,
  { key, etag, bytes }: ObjectInfo,
  { stored }: { stored?: Set<number> | undefined } = {},
): AsyncGenerator<UploadedPart> {
  let copied = 0
  for (let start = 0, number = 1; start < bytes; start += COPY_PART_BYTES, number += 1) {
    if (stored?.has(number)) continue
    // Leaves running parts time to finish: AWS charges for parts that a killed run leaves behind, for a week.
    if (copied > 0 && timeLeft() < LAST_COPIES_MS) throw new OutOfTime(`there is no time left to copy ${key}`)
    copied += 1
    yield { number, bucket, copy: key, etag, start, end: Math.min(start + COPY_PART_BYTES, bytes) - 1 }
  }
}

/** Splits a stream into blocks of exactly `size` bytes. The last may be shorter; none is empty. */
async function* inBlocks(stream: Readable, size: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (let chunk of stream as AsyncIterable<Buffer>) {
    while (bytes + chunk.length >= size) {
      yield Buffer.concat([...waiting, chunk.subarray(0, size - bytes)])
      chunk = chunk.subarray(size - bytes)
      waiting = []
      bytes = 0
    }
    if (chunk.length > 0) waiting.push(chunk)
    bytes += chunk.length
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}
