import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { combineCrc32 } from '../../crc32.ts'
import { checkParts } from './composition.ts'
import { CompositionMissing, InvalidParts, ObjectMissing, ObjectsUnavailable, WrongChecksum } from './port.ts'
import { translated } from './s3-errors.ts'
import { endUpload, type KeptPart, S3_PART_RULES, type Upload } from './s3-multipart.ts'
import { fromBase64Crc, toBase64Crc, withoutQuotes } from './s3-values.ts'

/** The expected object of an upload. Without a CRC-32 only its size is known. */
export interface Whole {
  bytes: number
  crc32?: number
}

/** Size and CRC-32 of all parts together. Without a CRC-32 if S3 doesn't return that of every part. */
export function wholeOf(parts: readonly KeptPart[]): Whole {
  let whole: Whole = { bytes: 0, crc32: 0 }
  for (const part of parts) {
    const crc = fromBase64Crc(part.crc32)
    const known = whole.crc32 !== undefined && crc !== undefined
    whole = { bytes: whole.bytes + part.bytes, ...(known && { crc32: combineCrc32(whole.crc32!, crc, part.bytes) }) }
  }
  return whole
}

/**
 * Completes an upload. If S3's answer was lost, now or in an earlier call, S3 has no such upload; then the object itself tells whether it
 * was completed.
 * @param listed lists the parts
 * @returns the ETag of the object, without quotes
 * @throws InvalidParts and WrongChecksum, after which the upload remains; CompositionMissing
 */
export async function completeUpload(
  client: S3Client,
  upload: Upload,
  listed: () => Promise<KeptPart[]>,
  expected: Whole,
): Promise<string> {
  try {
    const parts = await listed()
    checkParts(parts, expected.bytes, S3_PART_RULES)
    return await complete(client, upload, parts, expected.crc32)
  } catch (error) {
    const mayBeThere = error instanceof CompositionMissing || error instanceof ObjectsUnavailable
    const etag = mayBeThere ? await etagOf(client, upload, expected) : undefined
    if (etag === undefined) throw error
    return etag
  }
}

async function complete(client: S3Client, upload: Upload, parts: readonly KeptPart[], expected: number | undefined): Promise<string> {
  const ofParts = wholeOf(parts).crc32
  if (ofParts !== undefined && expected !== undefined && ofParts !== expected) throw new WrongChecksum(upload.Key)
  const done = await endUpload(client, upload, parts, expected === undefined ? undefined : toBase64Crc(expected)).catch((error: Error) => {
    if (REFUSED_PARTS.has(error.name)) throw new InvalidParts(error.message, { cause: error })
    if (error.name !== 'BadDigest') throw error
    // Compatible storage that only knows checksums of the parts' checksums refuses that of the whole object.
    return endUpload(client, upload, parts)
  })
  if (expected === undefined) return done.etag
  const { Bucket, Key } = upload
  const made = fromBase64Crc(done.crc32) ?? ofParts ?? (await crc32Of(client, { Bucket, Key, IfMatch: done.etag }))
  if (made === expected) return done.etag
  await translated(Key, () => client.send(new DeleteObjectCommand({ Bucket, Key })))
  throw new WrongChecksum(Key)
}

/** S3's error names for refused parts at completion. */
export const REFUSED_PARTS = new Set(['EntityTooSmall', 'InvalidPart', 'InvalidPartOrder'])

/** The ETag of the object at an upload's key, if it has this size and CRC-32. */
async function etagOf(client: S3Client, { Bucket, Key }: Upload, { bytes, crc32 }: Whole): Promise<string | undefined> {
  try {
    const head = await translated(Key, () => client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' })))
    if (crc32 === undefined || head.ContentLength !== bytes) return undefined
    const found = fromBase64Crc(head.ChecksumCRC32) ?? (await crc32Of(client, { Bucket, Key, IfMatch: head.ETag }))
    return found === crc32 ? withoutQuotes(head.ETag) : undefined
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}

/** Computes the CRC-32 of an object if storage doesn't return it. Reads all of it. */
async function crc32Of(client: S3Client, object: { Bucket: string; Key: string; IfMatch: string | undefined }): Promise<number> {
  const { Body } = await translated(object.Key, () => client.send(new GetObjectCommand(object)))
  let crc = 0
  for await (const chunk of Body as Readable) crc = crc32(chunk, crc)
  return crc
}
