import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { inParallel, Semaphore } from '../../parallel.ts'
import { longRequest } from '../aws/request-limits.ts'
import { checkPart, partBytes } from './composition.ts'
import { CompositionMissing, InvalidParts, type ObjectLabels, type Part, type PartRules, RangeOutside, type StoredPart } from './port.ts'
import { translated } from './s3-errors.ts'
import { copySource, sdkLabels, withoutQuotes } from './s3-values.ts'

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
export const S3_PART_RULES: PartRules = {
  minBytes: 5 * 1024 ** 2,
  maxBytes: 5 * 1024 ** 3,
  maxParts: 10_000,
  minRangeSourceBytes: 5 * 1024 ** 2,
}

/** Parts that are sent in parallel, of the client's 50 connections. Most are copies, which storage makes itself, each slowly. */
const PARALLELISM = 48
/** Parts with bytes among them, which are in memory. */
const UPLOADS = 4

/** A multipart upload. */
export interface Upload {
  Bucket: string
  Key: string
  UploadId: string
}

/** A part whose source may be in another bucket. */
export type UploadedPart = Part & { bucket?: string }

/** A part as stored by S3. ETag and CRC-32 are sent at completion, so that no other part can take its place. */
export interface KeptPart extends StoredPart {
  etag: string
  /** In base64, as returned by S3. */
  crc32: string | undefined
}

export async function beginUpload(client: S3Client, Bucket: string, Key: string, labels: ObjectLabels): Promise<Upload> {
  const create = new CreateMultipartUploadCommand({
    Bucket,
    Key,
    ...sdkLabels(labels),
    // S3 stores one checksum of the whole object. The default would be a checksum of the parts' checksums.
    ChecksumAlgorithm: 'CRC32',
    ChecksumType: 'FULL_OBJECT',
  })
  const { UploadId } = await translated(Key, () => client.send(create))
  return { Bucket, Key, UploadId: UploadId! }
}

/**
 * Uploads and copies parts from a source, several in parallel.
 * @returns the stored parts, by number
 * @throws the first failure, after all running parts have ended
 */
export async function uploadParts(client: S3Client, upload: Upload, parts: AsyncIterable<UploadedPart>): Promise<KeptPart[]> {
  const kept: KeptPart[] = []
  const uploads = new Semaphore(UPLOADS)
  /** One part of bytes at a time waits here. */
  async function* admitted(): AsyncGenerator<UploadedPart> {
    for await (const part of parts) {
      checkPart(part, S3_PART_RULES)
      if ('bytes' in part) await uploads.acquire()
      yield part
    }
  }
  await inParallel(admitted(), PARALLELISM, async (part) => {
    try {
      kept.push(await uploadPart(client, upload, part))
    } finally {
      if ('bytes' in part) uploads.release()
    }
  })
  return kept.sort((a, b) => a.number - b.number)
}

/** Lists the stored parts of an upload, by number. `modified` is in UNIX milliseconds. */
export async function* listParts(client: S3Client, upload: Upload): AsyncGenerator<KeptPart & { modified: number }> {
  let marker: string | undefined
  do {
    const command = new ListPartsCommand({ ...upload, PartNumberMarker: marker })
    const page = await translated(upload.Key, () => client.send(command))
    for (const { PartNumber, Size, ETag, ChecksumCRC32, LastModified } of page.Parts ?? []) {
      const modified = LastModified?.getTime() ?? 0
      yield { number: PartNumber!, bytes: Size ?? 0, etag: withoutQuotes(ETag), crc32: ChecksumCRC32, modified }
    }
    marker = page.IsTruncated ? page.NextPartNumberMarker : undefined
  } while (marker)
}

/** Aborts an upload. Idempotent. */
export async function abortUpload(client: S3Client, upload: Upload): Promise<void> {
  try {
    await translated(upload.Key, () => client.send(new AbortMultipartUploadCommand(upload)))
  } catch (error) {
    if (!(error instanceof CompositionMissing)) throw error
  }
}

/**
 * Makes the object from its parts.
 * @param crc32 expected CRC-32 of the whole object, in base64; without it S3 only computes one
 * @returns the ETag of the object, without quotes, and its CRC-32 if S3 returns it
 */
export async function endUpload(
  client: S3Client,
  upload: Upload,
  parts: readonly KeptPart[],
  crc32?: string,
): Promise<{ etag: string; crc32: string | undefined }> {
  const command = new CompleteMultipartUploadCommand({
    ...upload,
    ChecksumType: 'FULL_OBJECT',
    ChecksumCRC32: crc32,
    MpuObjectSize: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    MultipartUpload: { Parts: parts.map((part) => ({ PartNumber: part.number, ETag: part.etag, ChecksumCRC32: part.crc32 })) },
  })
  const done = await translated(upload.Key, () => client.send(command, longRequest))
  return { etag: withoutQuotes(done.ETag), crc32: done.ChecksumCRC32 }
}

async function uploadPart(client: S3Client, upload: Upload, part: UploadedPart): Promise<KeptPart> {
  const target = { ...upload, PartNumber: part.number }
  const stored = { number: part.number, bytes: partBytes(part) }
  if ('bytes' in part) {
    const put = new UploadPartCommand({ ...target, Body: part.bytes, ChecksumAlgorithm: 'CRC32' })
    const { ETag, ChecksumCRC32 } = await translated(upload.Key, () => client.send(put))
    return { ...stored, etag: withoutQuotes(ETag), crc32: ChecksumCRC32 }
  }
  const copy = new UploadPartCopyCommand({
    ...target,
    CopySource: copySource(part.bucket ?? upload.Bucket, part.copy),
    CopySourceIfMatch: part.etag,
    CopySourceRange: 'size' in part ? undefined : `bytes=${part.start}-${part.end}`,
  })
  const { CopyPartResult } = await translated(part.copy, () => client.send(copy, longRequest)).catch((error: unknown) => {
    throw isRefusedRange(error) ? new InvalidParts(`part ${part.number} can't be copied`, { cause: error }) : error
  })
  return { ...stored, etag: withoutQuotes(CopyPartResult?.ETag), crc32: CopyPartResult?.ChecksumCRC32 }
}

/** Whether S3 refuses to copy a part: its range is outside of the source, or the source is too small for ranges or too large for a part. */
function isRefusedRange(error: unknown): boolean {
  return error instanceof RangeOutside || (error instanceof Error && ['InvalidRequest', 'InvalidArgument'].includes(error.name))
}
