import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
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
    const completed = await uploadAll(client, upload, parts)
    const complete = new CompleteMultipartUploadCommand({
      ...upload,
      ChecksumType: 'FULL_OBJECT',
      MultipartUpload: { Parts: completed },
    })
    const done = await translated(key, () => client.send(complete))
    return withoutQuotes(done.ETag)
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
  const { CopyPartResult } = await translated(part.source.key, () => client.send(copy))
  return { PartNumber, ETag: CopyPartResult?.ETag, ChecksumCRC32: CopyPartResult?.ChecksumCRC32 }
}
