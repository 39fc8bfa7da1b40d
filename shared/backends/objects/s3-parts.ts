import { createHash } from 'node:crypto'
import { CompleteMultipartUploadCommand, CreateMultipartUploadCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { longRequest } from '../aws/request-limits.ts'
import { type Clock, systemClock } from '../clock/port.ts'
import { checkKey } from './keys.ts'
import {
  ComparisonUnfinished,
  CompositionMissing,
  InvalidParts,
  type ObjectInfo,
  type Objects,
  type PartUpload,
  type PartUploads,
  type ReadMd5,
  type ReceivedPart,
  WrongMd5,
} from './port.ts'
import { readInOrder } from './ranged-reading.ts'
import { s3Client, s3Objects } from './s3.ts'
import { REFUSED_PARTS } from './s3-completion.ts'
import { translated } from './s3-errors.ts'
import { abortUpload, listParts, type UploadedPart, uploadParts } from './s3-multipart.ts'

/** What a function reads and digests in half of a request's 29 s, at 80 MB/s. */
const COMPARED_BYTES = 1024 ** 3

/** Multipart uploads to S3 with presigned `UploadPart` URLs. A URL has the rights of the role that signs it. */
export function s3PartUploads(s3: { bucket: string; client?: S3Client; clock?: Clock }): PartUploads {
  // Clients send no checksum. The SDK would add that of an empty part.
  const client = s3.client ?? s3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' })
  return new S3Parts(s3.bucket, client, s3.clock ?? systemClock)
}

const readAtOnce: ReadMd5 = async (objects, object) => {
  const md5 = createHash('md5')
  for await (const piece of readInOrder(objects, object)) md5.update(piece)
  return { md5: md5.digest('hex') }
}

class S3Parts implements PartUploads {
  readonly maxComparedBytes = COMPARED_BYTES
  readonly #bucket: string
  readonly #client: S3Client
  readonly #clock: Clock
  readonly #objects: Objects

  constructor(bucket: string, client: S3Client, clock: Clock) {
    this.#bucket = bucket
    this.#client = client
    this.#clock = clock
    this.#objects = s3Objects({ bucket, client, clock })
  }

  async beginParts(key: string, size: Pick<PartUpload, 'bytes' | 'partBytes'>): Promise<PartUpload> {
    checkKey(key)
    const create = new CreateMultipartUploadCommand({ Bucket: this.#bucket, Key: key })
    const { UploadId } = await translated(key, () => this.#client.send(create))
    return { key, id: UploadId!, bytes: size.bytes, partBytes: size.partBytes }
  }

  async partRequest(upload: PartUpload, { number, bytes, expires }: { number: number; bytes: number; expires: number }) {
    const expiresIn = Math.floor((expires - this.#clock.now()) / 1000)
    // The length is one of the signed headers.
    const part = new UploadPartCommand({ ...this.#target(upload), PartNumber: number, ContentLength: bytes })
    return { url: await getSignedUrl(this.#client, part, { expiresIn }), headers: {} }
  }

  async receivedParts(upload: PartUpload): Promise<ReceivedPart[]> {
    const listed = await Array.fromAsync(listParts(this.#client, this.#target(upload)))
    return listed.map(({ number, bytes, etag, modified }) => ({ number, bytes, etag, modified }))
  }

  async joinParts(upload: PartUpload, parts: readonly ReceivedPart[], md5?: string, readMd5: ReadMd5 = readAtOnce): Promise<ObjectInfo> {
    // No parts are left of an upload that was already joined.
    if (parts.length > 0) await this.#complete(upload, parts)
    const made = await this.#objects.head(upload.key)
    if (made?.bytes !== upload.bytes) throw new CompositionMissing(upload.key)
    if (md5 === undefined) return made
    const read = await readMd5(this.#objects, made)
    if (!read) throw new ComparisonUnfinished(upload.key)
    if (read.md5 === md5) return made
    throw new WrongMd5(await this.#takeApart(upload, made))
  }

  async abortParts(upload: PartUpload): Promise<void> {
    await abortUpload(this.#client, this.#target(upload))
  }

  /** Does nothing if the upload is gone: an earlier call may have completed it. */
  async #complete(upload: PartUpload, parts: readonly ReceivedPart[]): Promise<void> {
    const command = new CompleteMultipartUploadCommand({
      ...this.#target(upload),
      MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
    })
    await translated(upload.key, () => this.#client.send(command, longRequest)).catch((error: Error) => {
      if (REFUSED_PARTS.has(error.name)) throw new InvalidParts(error.message, { cause: error })
      if (!(error instanceof CompositionMissing)) throw error
    })
  }

  /** Turns an object with the wrong MD5 into parts again, for another try: S3 can only compare after the join. */
  async #takeApart(upload: PartUpload, { key, etag, bytes }: ObjectInfo): Promise<PartUpload> {
    const again = await this.beginParts(key, upload)
    async function* copies(): AsyncGenerator<UploadedPart> {
      // S3 only copies ranges from objects larger than 5 MiB.
      if (bytes > 0 && bytes <= upload.partBytes) return yield { number: 1, copy: key, etag, size: bytes }
      for (let start = 0, number = 1; start < bytes; start += upload.partBytes, number += 1) {
        yield { number, copy: key, etag, start, end: Math.min(start + upload.partBytes, bytes) - 1 }
      }
    }
    await uploadParts(this.#client, this.#target(again), copies())
    await this.#objects.delete([key])
    return again
  }

  #target({ key, id }: PartUpload) {
    return { Bucket: this.#bucket, Key: key, UploadId: id }
  }
}
