import { createHash } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { longRequest } from '../aws/request-limits.ts'
import type { CopySource } from './composition.ts'
import type { ObjectLabels } from './port.ts'
import type { ResolvedRange } from './ranges.ts'
import { translated } from './s3-errors.ts'
import { copySource, sdkLabels, withoutQuotes } from './s3-values.ts'

/** Parts that are uploaded at the same time. An upload holds as many in memory. */
const CONCURRENCY = 4

/** One object that is uploaded in parts. */
export interface Target {
  bucket: string
  key: string
  labels: ObjectLabels
}

/** A part: bytes, or (a range of) an object of some bucket. */
export type UploadedPart = { bytes: Uint8Array } | { bucket: string; source: CopySource; range?: ResolvedRange }

/**
 * Uploads an object in parts, several at a time. It appears after the last part; when one fails nothing remains.
 * @returns the ETag of the object, without quotes
 */
export async function uploadInParts(
  client: S3Client,
  { bucket, key, labels }: Target,
  parts: AsyncGenerator<UploadedPart>,
): Promise<string> {
  const create = new CreateMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    ...sdkLabels(labels),
    // One checksum of the whole object, which S3 keeps: the default would be a checksum of the parts' checksums.
    ChecksumAlgorithm: 'CRC32',
    ChecksumType: 'FULL_OBJECT',
  })
  const created = await translated(key, () => client.send(create))
  const upload = { Bucket: bucket, Key: key, UploadId: created.UploadId }
  try {
    return await complete(client, upload, await uploadAll(client, upload, parts))
  } catch (error) {
    // AWS charges for the parts of an unfinished upload. A lifecycle rule removes those that can't be aborted here.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
    throw error
  }
}

interface Upload {
  Bucket: string
  Key: string
  UploadId: string | undefined
}

/**
 * Completes an upload. When S3's answer is lost, the SDK repeats the call, and S3 answers that there is no such upload: then the object tells
 * whether it was completed.
 * @returns the ETag of the object, without quotes
 */
async function complete(client: S3Client, upload: Upload, parts: CompletedPart[]): Promise<string> {
  const { Bucket, Key } = upload
  const command = new CompleteMultipartUploadCommand({ ...upload, ChecksumType: 'FULL_OBJECT', MultipartUpload: { Parts: parts } })
  try {
    const done = await translated(Key, () => client.send(command, longRequest))
    return withoutQuotes(done.ETag)
  } catch (error) {
    const found = await client.send(new HeadObjectCommand({ Bucket, Key })).catch(() => undefined)
    const etag = withoutQuotes(found?.ETag)
    if (etag !== etagOf(parts)) throw error
    return etag
  }
}

/** The ETag of an object made of these parts: the MD5 of their MD5s, and their number. It depends on every byte. */
function etagOf(parts: readonly CompletedPart[]): string {
  const digest = createHash('md5')
  for (const { ETag } of parts) digest.update(withoutQuotes(ETag), 'hex')
  return `${digest.digest('hex')}-${parts.length}`
}

/** @throws the first failure, after all running uploads of parts have ended */
async function uploadAll(client: S3Client, upload: Upload, parts: AsyncGenerator<UploadedPart>): Promise<CompletedPart[]> {
  const completed: CompletedPart[] = []
  let started = 0
  let failed = false
  // A generator answers calls in order, so the workers can share it and number the parts right.
  const work = async () => {
    for (let next = await parts.next(); !next.done && !failed; next = await parts.next()) {
      started += 1
      const PartNumber = started
      completed[PartNumber - 1] = await uploadPart(client, { ...upload, PartNumber }, next.value)
    }
  }
  const workers = Array.from({ length: CONCURRENCY }, () =>
    work().catch((error: unknown) => {
      failed = true
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(workers)
  await parts.return(undefined)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return completed
}

async function uploadPart(client: S3Client, upload: Upload & { PartNumber: number }, part: UploadedPart): Promise<CompletedPart> {
  const { PartNumber } = upload
  if ('bytes' in part) {
    const put = new UploadPartCommand({ ...upload, Body: part.bytes, ChecksumAlgorithm: 'CRC32' })
    const { ETag, ChecksumCRC32 } = await translated(upload.Key, () => client.send(put))
    return { PartNumber, ETag, ChecksumCRC32 }
  }
  const copy = new UploadPartCopyCommand({
    ...upload,
    CopySource: copySource(part.bucket, part.source.key),
    CopySourceIfMatch: part.source.etag,
    ...(part.range && { CopySourceRange: `bytes=${part.range.start}-${part.range.end}` }),
  })
  const { CopyPartResult } = await translated(part.source.key, () => client.send(copy, longRequest))
  return { PartNumber, ETag: CopyPartResult?.ETag, ChecksumCRC32: CopyPartResult?.ChecksumCRC32 }
}
