import type { Readable } from 'node:stream'
import type { StorageClass } from '../../settings.ts'

/**
 * The objects port: one bucket of immutable-by-convention objects. Semantics are S3's: an object appears whole or not at
 * all, a put over an existing key replaces it atomically, reads after writes see them.
 *
 * Keys are UTF-8 strings of 1 to 1,024 bytes. Adapters take any key S3 takes, `..` and control characters included, and never let
 * one escape its bucket. No key may be another key's folder (`a` and `a/b`): the service names keys so.
 */

/** An object in a listing. */
export interface ObjectEntry {
  key: string
  /** Size in bytes. */
  bytes: number
  /** UTC, milliseconds since the epoch. */
  modified: number
  /** Changes whenever the bytes change. Opaque, without quotes. */
  etag: string
}

export interface ObjectLabels {
  contentType: string
  /** `Cache-Control` of its delivery. */
  cacheControl?: string
  /** `Content-Disposition` of its delivery. Visible ASCII and spaces; S3 allows 2 KB for it and the two above together. */
  disposition?: string
  /** Tag by which it is invalidated at edges, in the header `CACHE_TAG_HEADER`. Visible ASCII without commas, at most 256 characters. */
  cacheTag?: string
  /**
   * How a picture came about, which its delivery says in the header `AI_HEADER`, write-only: S3 answers with it under `STORED_AI_HEADER`, which the
   * edge function renames. Other storage ignores it.
   */
  ai?: 'generated' | 'modified'
  /** S3's storage class, write-only. Other storage ignores it. */
  storageClass?: StorageClass
}

/** The header with an object's cache tag: S3's metadata. */
export const CACHE_TAG_HEADER = 'x-amz-meta-cache-tag'

/** The header that tells how a picture of a link came about, and that under which S3 answers with it. */
export const AI_HEADER = 'link-ai'
export const STORED_AI_HEADER = `x-amz-meta-${AI_HEADER}`

export interface ObjectInfo extends ObjectEntry, ObjectLabels {}

/** Bytes `start` to `end`, both included, `start <= end`, as in HTTP. An `end` past the object's end means its end. */
export interface ByteRange {
  start: number
  end?: number
}

export interface ObjectBody extends ObjectInfo {
  /** The requested bytes. The reader must consume or destroy it. */
  stream: Readable
}

export interface ObjectReader {
  /** @returns undefined if there is no such object */
  head(key: string): Promise<ObjectInfo | undefined>
  /** @throws ObjectMissing, RangeOutside */
  get(key: string, range?: ByteRange): Promise<ObjectBody>
  /**
   * Objects whose key starts with `prefix`, in order of key bytes, at most `limit` (1 to 1,000, default 1,000) a page. Listings have no
   * labels.
   */
  list(prefix: string, page?: { limit?: number; cursor?: string }): Promise<{ objects: ObjectEntry[]; cursor?: string }>
}

/** The source of a copy: an object of this bucket, or of the bucket `from`. With `etag` the copy fails if the object has another one. */
export interface CopiedObject {
  key: string
  from?: ObjectReader
  etag?: string
  /** CRC-32 of the object with this `etag`, if the caller knows it, unsigned. Stored by storage that computes no checksums itself. */
  crc32?: number
}

/** A copy that an earlier run began: its composition, and its source's ETag. Plain JSON. */
export type BegunCopy = { id: string; etag: string }

/** Lets a copy take several runs. Ignored by storage that copies at once. */
export interface CopyInRuns {
  begun: BegunCopy | undefined
  /** Stores the state of the copy, before anything is copied. */
  begin(copy: BegunCopy): Promise<void>
}

/** Storage's limits for the parts of a composed object. */
export interface PartRules {
  /** Smallest part, in bytes. The last one may be smaller. */
  minBytes: number
  /** Largest part, in bytes. */
  maxBytes: number
  /** Most parts of an object, and the highest part number. */
  maxParts: number
  /** Ranges can only be copied from objects with more bytes than this. Smaller objects are copied whole. */
  minRangeSourceBytes: number
}

/** An object that is being composed. Plain JSON: another process can continue it. */
export interface Composition {
  key: string
  id: string
}

/**
 * A part of a composed object, with its number, from 1: bytes (which must not change afterwards), a range of an object in the same bucket
 * (`end` is included), or a whole object. With `etag` the part fails if the object has another one. No part is empty.
 */
export type Part = { number: number } & (
  | { bytes: Uint8Array }
  | { copy: string; etag?: string; start: number; end: number }
  | { copy: string; etag?: string; size: number }
)

/** A stored part, and its size in bytes. */
export interface StoredPart {
  number: number
  bytes: number
}

/**
 * Objects composed of parts, in any number of steps and processes. Storage keeps the parts, so callers only keep the handle. Unfinished
 * compositions are removed after a week. Parts must obey `partRules`.
 */
interface ComposedObjects {
  readonly partRules: PartRules
  beginComposition(key: string, labels: ObjectLabels): Promise<Composition>
  /**
   * Stores parts from a source, several in parallel. Memory is bounded: the source is read only as parts are done. A part replaces the one
   * with its number. If the source or a part fails, running parts end first, and stored ones stay.
   * @throws ObjectMissing, ObjectChanged, InvalidParts, CompositionMissing, what the source throws
   */
  storeParts(composition: Composition, parts: AsyncIterable<Part>): Promise<void>
  /** The parts stored so far, by number. The last ones of a killed process may be missing. @throws CompositionMissing */
  storedParts(composition: Composition): AsyncIterable<StoredPart>
  /**
   * Makes the object from all parts, numbered 1 to their count. It appears whole, with this size and CRC-32, or not at all; then the
   * composition remains. Can be repeated after a lost answer: if the composition is gone, an object at its key with this size and CRC-32 is
   * the result.
   * @param expected.bytes size of the whole object
   * @param expected.crc32 CRC-32 of the whole object, unsigned
   * @throws InvalidParts, WrongChecksum, CompositionMissing
   */
  completeComposition(composition: Composition, expected: { bytes: number; crc32: number }): Promise<ObjectInfo>
  /** Removes an unfinished composition with its parts. Idempotent. */
  abortComposition(composition: Composition): Promise<void>
}

export interface Objects extends ObjectReader, ComposedObjects {
  /** Stores bytes or a stream of unknown length (bounded memory). Stores nothing if the stream fails. */
  put(key: string, body: Uint8Array | Readable, labels: ObjectLabels): Promise<ObjectInfo>
  /** Stores the bytes of a file. The file must not be written to afterwards: the object may share its storage. */
  putFile(key: string, path: string, labels: ObjectLabels): Promise<ObjectInfo>
  /**
   * Copies an object of this bucket or of another one of the same kind, without passing its bytes through the caller.
   * @param source.etag ETag of the expected bytes, from `get()`; by default the current object is copied
   * @param inRuns set if another run can continue the copy
   * @throws ObjectMissing, ObjectChanged, CopyUnfinished, ObjectsUnavailable if time ran out and no other run can continue
   */
  copy(source: CopiedObject, key: string, labels: ObjectLabels, inRuns?: CopyInRuns): Promise<ObjectInfo>
  /**
   * Writes an object's bytes to a file, for tools that read it. The file must not be written to: it may share its storage with the object.
   * @param path path of a file that doesn't exist yet; after a failure it may exist, incomplete
   * @throws ObjectMissing, ObjectChanged if the object is replaced meanwhile
   */
  fetch(key: string, path: string): Promise<ObjectInfo>
  /** Deletes any number of keys, also without objects. */
  delete(keys: readonly string[]): Promise<void>
}

/** A bucket whose objects are read, as streams or as files, and never written. */
export type FetchedObjects = ObjectReader & Pick<Objects, 'fetch'>

/** A bucket whose objects are read by key, as streams or as files, and never listed. */
export type KnownObjects = Omit<FetchedObjects, 'list'>

/** A bucket whose objects are read and then removed, and never written. */
export type ConsumedObjects = ObjectReader & Pick<Objects, 'delete'>

/** A bucket that is reconciled with records, and never read. */
export type PublishedObjects = Pick<Objects, 'put' | 'copy' | 'list' | 'delete'>

/** Objects that the transcoder stores, and that the service adds to, reads and removes. */
export type StreamObjects = ObjectReader & Pick<Objects, 'put' | 'copy' | 'delete'>

/** A bucket whose objects are listed and removed, and never read. */
export type SweptObjects = Pick<Objects, 'list' | 'delete'>

/** A form with which a browser or another client posts a file directly to storage. */
export interface UploadForm {
  /** URL to post to. */
  action: string
  /** Hidden fields in the order in which to send them; the file comes last. The value of `key` ends in `${filename}`. */
  fields: { name: string; value: string }[]
}

export interface UploadForms {
  /**
   * A form whose file is stored as `<keyPrefix><file name as sent, after the last / or \>`. Storage enforces every limit and answers with a
   * 303 to `redirect`, to which it adds the query parameters `bucket`, `key` and `etag`.
   */
  uploadForm(form: {
    keyPrefix: string
    minBytes: number
    maxBytes: number
    /** UTC, milliseconds since the epoch; at most an hour away. */
    expires: number
    redirect: string
  }): Promise<UploadForm>
}

/** A multipart upload of a client, each part with its own signed URL. Plain JSON: another process can continue it. */
export type PartUpload = {
  /** Key of the object. */
  key: string
  id: string
  /** Size of the whole file, and of each part except the last, in bytes. */
  bytes: number
  partBytes: number
}

/** A received part. */
export interface ReceivedPart extends StoredPart {
  /** MD5 of the part's bytes, in hex, without quotes. */
  etag: string
  /** UTC, milliseconds since the epoch. */
  modified: number
}

/** A request with which a client stores one part. */
export interface PartRequest {
  url: string
  /** Headers to send with it. */
  headers: Record<string, string>
}

/** Computes an object's MD5, in lower-case hex. @returns undefined if time ran out and another run must continue */
export type ReadMd5 = (objects: ObjectReader, object: ObjectEntry) => Promise<{ md5: string } | undefined>

/** Multipart uploads of clients. Storage keeps the parts; the last one with a number counts. */
export interface PartUploads {
  /** Largest file whose MD5 is compared within a request, in bytes. */
  readonly maxComparedBytes: number
  beginParts(key: string, size: Pick<PartUpload, 'bytes' | 'partBytes'>): Promise<PartUpload>
  /**
   * A request that stores a part.
   * @param part.bytes its exact size, which storage enforces
   * @param part.expires UTC, milliseconds since the epoch; at most an hour away
   */
  partRequest(upload: PartUpload, part: { number: number; bytes: number; expires: number }): Promise<PartRequest>
  /** Whether a part is arriving now. Missing where storage can't tell. */
  isArriving?(upload: PartUpload): boolean
  /** The parts received so far, by number. @throws CompositionMissing */
  receivedParts(upload: PartUpload): Promise<ReceivedPart[]>
  /**
   * Makes the object from its parts. It appears whole or not at all; then all parts stay. Can be repeated after a lost answer: if the
   * upload is gone, an object with its size at its key is the result.
   * @param parts all parts, numbered 1 to their count, as returned by `receivedParts`
   * @param md5 expected MD5 of the whole, in lower-case hex
   * @param readMd5 computes the MD5 if storage can only compare after the join; by default in this run
   * @throws CompositionMissing, PartInFlight, WrongMd5, ComparisonUnfinished, InvalidParts if a part was replaced
   */
  joinParts(upload: PartUpload, parts: readonly ReceivedPart[], md5?: string, readMd5?: ReadMd5): Promise<ObjectInfo>
  /** Removes an unfinished upload with its parts. Idempotent. */
  abortParts(upload: PartUpload): Promise<void>
}

/** A key is empty, longer than `MAX_KEY_BYTES`, no well-formed Unicode, or contains NUL. Every method with a key throws it. */
export class InvalidKey extends Error {
  override name = 'InvalidKey'
}

/** Longest key, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 1024

export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`no object at ${key}`)
    this.name = 'ObjectMissing'
  }
}

/** The key has another object now. Nothing was copied. */
export class ObjectChanged extends Error {
  constructor(key: string) {
    super(`the object at ${key} was replaced`)
    this.name = 'ObjectChanged'
  }
}

/** Time ran out before all was copied. The same call in another run continues. */
export class CopyUnfinished extends Error {
  constructor(key: string) {
    super(`${key} is not copied yet`)
    this.name = 'CopyUnfinished'
  }
}

/** The range starts at or after the end of the object. */
export class RangeOutside extends Error {
  override name = 'RangeOutside'
}

/** Parts violate the storage's rules, have gaps in their numbers, or don't have the expected total size. */
export class InvalidParts extends Error {
  override name = 'InvalidParts'
}

/** The composition was completed or aborted, or there never was one. */
export class CompositionMissing extends Error {
  constructor(key: string) {
    super(`no composition of ${key}`)
    this.name = 'CompositionMissing'
  }
}

/** The parts don't have the expected CRC-32. No object appeared. */
export class WrongChecksum extends Error {
  constructor(key: string) {
    super(`the parts of ${key} have another CRC-32 than expected`)
    this.name = 'WrongChecksum'
  }
}

/** The parts don't have the expected MD5. No object appeared. */
export class WrongMd5 extends Error {
  /** The upload that now has the parts; may be another one. */
  readonly upload: PartUpload
  constructor(upload: PartUpload) {
    super(`the parts of ${upload.key} have another MD5 than expected`)
    this.name = 'WrongMd5'
    this.upload = upload
  }
}

/** Time ran out before the MD5 was compared. The same call in another run continues. */
export class ComparisonUnfinished extends Error {
  constructor(key: string) {
    super(`the MD5 of ${key} is not compared yet`)
    this.name = 'ComparisonUnfinished'
  }
}

/** A part of the upload is arriving. Nothing was done. */
export class PartInFlight extends Error {
  constructor(key: string) {
    super(`a part of ${key} is arriving`)
    this.name = 'PartInFlight'
  }
}

/** Storage throttled, timed out or was unreachable, after retries. A write may have happened completely or not at all. */
export class ObjectsUnavailable extends Error {
  override name = 'ObjectsUnavailable'
}
