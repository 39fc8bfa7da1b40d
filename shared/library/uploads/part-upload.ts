import { CompositionMissing, type PartUpload, type PartUploads, type ReceivedPart } from '../../backends/objects/port.ts'
import type { Actor } from '../actor.ts'
import { JobKind } from '../jobs/job.ts'
import { HELD_SECONDS } from '../quota/hold.ts'
import type { UploadRecord } from './uploads.ts'

const DAY_SECONDS = 86_400
/** Lifetime of an upload in seconds, from the last URL of a part. */
const LIFETIME_SECONDS = 7 * DAY_SECONDS
/** The same by a share link: what strangers begin keeps no room for long. */
const SHARED_LIFETIME_SECONDS = DAY_SECONDS
/** Seconds for which its record outlives it, so that late calls get the right error. */
const REMEMBERED_SECONDS = 9 * DAY_SECONDS
/** Milliseconds for which the URL of a part is good. */
export const URL_MS = 3_600_000

/**
 * An upload in parts. Its id is no secret: only the user who began it, or visitors of the share link by which it began, may use it.
 */
export type PartUploadRecord = UploadRecord & {
  filename: string
  /** Id and key of the upload in storage. */
  parts: PartUpload
  /** The client's MD5 of the file, in lower-case hex, if any. */
  md5?: string
  /** Whether its parts are being or have been made into a file. */
  isFinalizing?: boolean
  /** MD5 with which a job compares the parts before they become a file. */
  comparing?: string
  /** MD5 that a job has found its joined parts to have. */
  compared?: string
  /** The last mismatch: the expected MD5, and the parts by `fingerprintOf()`. */
  mismatch?: { md5: string; parts: string }
  /** Latest arrival of the next part, in UNIX seconds. */
  expires: number
  /** By a share link: when no URL of its parts is good any more, in UNIX milliseconds. */
  urlsEnd?: number
}

/** The state that clients see. Aborting an upload deletes its record. */
export function stateOf({ mediaId, isFinalizing }: PartUploadRecord): 'open' | 'finalizing' | 'finalized' {
  if (mediaId !== undefined) return 'finalized'
  return isFinalizing ? 'finalizing' : 'open'
}

/** The condition that an upload is no file yet. */
export const isOpen = { pk: { exists: true }, mediaId: { exists: false } } as const

/** @param now start, or time of the last URL, in UNIX milliseconds */
export function lifetime({ shareId }: Pick<UploadRecord, 'shareId'>, now: number) {
  if (shareId === undefined) return until(now, LIFETIME_SECONDS)
  return { ...until(now, SHARED_LIFETIME_SECONDS), urlsEnd: now + URL_MS }
}

/** Of an upload that waits for room in the quota. @param now since when, in UNIX milliseconds */
export const heldLifetime = (now: number) => until(now, HELD_SECONDS)

function until(now: number, seconds: number) {
  const expires = Math.floor(now / 1000) + seconds
  return { expires, ttl: expires + REMEMBERED_SECONDS }
}

/** Ends an upload in parts whose time is over. One by a share link is looked after from when no URL of its parts is good any more. */
export const uploadExpiryJob = new JobKind<{ uploadId: string }>('expire-upload')

/** When its job has something to do, in UNIX milliseconds. */
export const dueTimeOf = ({ expires, urlsEnd = Number.POSITIVE_INFINITY }: PartUploadRecord): number => Math.min(expires * 1000, urlsEnd)

/** The received parts; undefined where the upload has been joined or aborted in storage. */
export async function receivedOf(
  { partUploads }: { partUploads: Pick<PartUploads, 'receivedParts'> },
  { parts }: PartUploadRecord,
): Promise<readonly ReceivedPart[] | undefined> {
  try {
    return await partUploads.receivedParts(parts)
  } catch (error) {
    if (error instanceof CompositionMissing) return undefined
    throw error
  }
}

const MiB = 1024 ** 2

/** Allowed sizes of parts, in bytes. */
const PART_SIZES = [8, 16, 32, 64, 128].map((size) => size * MiB)
/** Most parts of one upload. S3 takes 10,000. */
const MOST_PARTS = 9_000

/** Cuts a file into the smallest parts that stay within `MOST_PARTS`. An empty file is one empty part. @param bytes up to 1 TiB */
export function partsOf(bytes: number): { partBytes: number; parts: number } {
  const partBytes = PART_SIZES.find((size) => bytes <= size * MOST_PARTS)
  if (partBytes === undefined) throw new RangeError(`a file of ${bytes} bytes has too many parts`)
  return { partBytes, parts: Math.max(1, Math.ceil(bytes / partBytes)) }
}

/** Bytes of a part: the last one has what is left. */
export function bytesOfPart({ bytes, partBytes }: { bytes: number; partBytes: number }, number: number): number {
  return Math.min(partBytes, bytes - (number - 1) * partBytes)
}

/** Joins the parts of an upload, compares their MD5 with the client's, and makes the file. `by`: who completed the upload. */
export const compareJob = new JobKind<{ uploadId: string; by: Actor }>('compare-upload')
