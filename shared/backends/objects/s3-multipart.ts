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

/** Parts under way at a time: what an upload holds in memory is as many parts. */
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
 * Uploads an object in parts, several at a time; it appears with the last, and nothing stays when one fails.
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
    // Parts of an upload that is never ended are paid for; a lifecycle rule takes what this can't abort.
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
 * Ends an upload. Where S3's answer is lost the SDK asks again and is told that there is no such upload: the object tells what happened.
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

/** The ETag of an object that was made of these parts: the MD5 of their MD5s, and how many they are. It covers every byte. */
function etagOf(parts: readonly CompletedPart[]): string {
  const digest = createHash('md5')
  for (const { ETag } of parts) digest.update(withoutQuotes(ETag), 'hex')
  return `${digest.digest('hex')}-${parts.length}`
}

/** @throws the first failure, when no part is under way any more */
async function uploadAll(client: S3Client, upload: Upload, parts: AsyncGenerator<UploadedPart>): Promise<CompletedPart[]> {
  const completed: CompletedPart[] = []
  let started = 0
  let failed = false
  // A generator answers its calls in their order, so the workers can share it and still number the parts right.
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
