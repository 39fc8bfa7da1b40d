import type { Readable } from 'node:stream'
import type { StorageClass } from '../../settings.ts'

/**
 * The objects port: one bucket of immutable-by-convention objects. Semantics are S3's: an object appears whole or not at
 * all, a put over an existing key replaces it atomically, reads after writes see them.
 *
 * Keys are UTF-8 strings of 1 to 1,024 bytes. Adapters take any key S3 takes, `..` and control characters included, and never let
 * one escape its bucket. No key may be another key's folder (`a` and `a/b`): the service names keys so.
 */

/** What a listing tells of an object. */
export interface ObjectEntry {
  key: string
  /** Size in bytes. */
  bytes: number
  /** UTC, milliseconds since the epoch. */
  modified: number
  /** Changes whenever the bytes change. Opaque, without quotes. */
  etag: string
}

/** How an object is labelled. */
export interface ObjectLabels {
  contentType: string
  /** `Cache-Control` with which it is delivered. */
  cacheControl?: string
  /** `Content-Disposition` with which it is delivered. Visible ASCII and blanks; S3 takes 2 KB for it and the two above together. */
  disposition?: string
  /** Tag by which edges forget it, in the header `CACHE_TAG_HEADER`. Visible ASCII without commas, at most 256 characters. */
  cacheTag?: string
  /** The class in which S3 keeps it. Other storage has none, and nobody is told it. */
  storageClass?: StorageClass
}

/** The header in which storage tells an object's cache tag: metadata of S3. */
export const CACHE_TAG_HEADER = 'x-amz-meta-cache-tag'

export interface ObjectInfo extends ObjectEntry, ObjectLabels {}

/** Bytes `start` to `end`, both included, `start <= end`, as in HTTP. `end` past the end of the object means to its end. */
export interface ByteRange {
  start: number
  end?: number
}

export interface ObjectBody extends ObjectInfo {
  /** The bytes asked for. The reader must consume or destroy it. */
  stream: Readable
}

export interface ObjectReader {
  /** @returns undefined when there is no such object */
  head(key: string): Promise<ObjectInfo | undefined>
  /** @throws ObjectMissing, RangeOutside */
  get(key: string, range?: ByteRange): Promise<ObjectBody>
  /** Objects whose key starts with `prefix`, in order of key bytes, at most `limit` (1 to 1,000, default 1,000) a page. A listing knows no labels. */
  list(prefix: string, page?: { limit?: number; cursor?: string }): Promise<{ objects: ObjectEntry[]; cursor?: string }>
}

/** What is copied: an object of this bucket, or of the bucket `from`; with `etag` only as long as it is that one. */
export interface CopiedObject {
  key: string
  from?: ObjectReader
  etag?: string
  /** Of the object that `etag` names, from who has read it. Storage that keeps no checksums of its own keeps it. Unsigned. */
  crc32?: number
}

/** What an earlier run began of a copy: its composition, and the ETag of its source. Plain JSON. */
export type BegunCopy = { id: string; etag: string }

/** A copy that may take several runs. Storage that copies at once needs none of it. */
export interface CopyInRuns {
  begun: BegunCopy | undefined
  /** Notes what is begun, before anything is copied. */
  begin(copy: BegunCopy): Promise<void>
}

/** What storage asks of the parts of a composed object. */
export interface PartRules {
  /** Smallest part, in bytes. The last one may be smaller. */
  minBytes: number
  /** Largest part, in bytes. */
  maxBytes: number
  /** Most parts of one object, and the highest number of one. */
  maxParts: number
  /** Ranges are copied of objects of more bytes than these. Others are copied whole. */
  minRangeSourceBytes: number
}

/** An object that is being composed. Plain JSON: another process can go on with it. */
export interface Composition {
  key: string
  id: string
}

/**
 * A part of a composed object, with its number, from 1: bytes given (which don't change any more), a range of an object of the same bucket
 * (`end` is included), or all of one. With `etag` the object is copied only as long as it is that one. No part is empty.
 */
export type Part = { number: number } & (
  | { bytes: Uint8Array }
  | { copy: string; etag?: string; start: number; end: number }
  | { copy: string; etag?: string; size: number }
)

/** A part that storage has, and its size in bytes. */
export interface StoredPart {
  number: number
  bytes: number
}

/**
 * Objects composed of parts, in any number of steps and processes. Storage remembers the parts, so the handle is all that a caller keeps.
 * A composition that nobody completes or aborts is removed after a week. Its parts obey `partRules`.
 */
export interface ComposedObjects {
  readonly partRules: PartRules
  beginComposition(key: string, labels: ObjectLabels): Promise<Composition>
  /**
   * Stores parts as they come, several at a time. Memory is bounded: the source is asked for more only as parts are done. A part stored again
   * replaces the one before. When the source or a part fails, running ones end, and those stored before stay.
   * @throws ObjectMissing, ObjectChanged, InvalidParts, CompositionMissing, what the source throws
   */
  storeParts(composition: Composition, parts: AsyncIterable<Part>): Promise<void>
  /** The parts stored so far, by number. Those that a killed process stored last may be missing. @throws CompositionMissing */
  storedParts(composition: Composition): AsyncIterable<StoredPart>
  /**
   * Makes the object of all parts, numbered 1 to their count. It appears whole, with this size and CRC-32, or not at all: then the composition
   * remains. May be repeated after a lost answer: when the composition is no more, an object at its key with this size and CRC-32 is the result.
   * @param expected.bytes size of the whole object
   * @param expected.crc32 of all its bytes, unsigned
   * @throws InvalidParts, WrongChecksum, CompositionMissing
   */
  completeComposition(composition: Composition, expected: { bytes: number; crc32: number }): Promise<ObjectInfo>
  /** Removes an unfinished composition with its parts, any number of times. */
  abortComposition(composition: Composition): Promise<void>
}

export interface Objects extends ObjectReader, ComposedObjects {
  /** Stores bytes or a stream of unknown length (bounded memory). Nothing appears when the stream fails. */
  put(key: string, body: Uint8Array | Readable, labels: ObjectLabels): Promise<ObjectInfo>
  /** Stores the bytes of a file. Nobody writes to the file any more: the object may share its storage. */
  putFile(key: string, path: string, labels: ObjectLabels): Promise<ObjectInfo>
  /**
   * Copies an object, of this bucket or of another one of the same kind, without passing its bytes through the caller.
   * @param source.etag of the expected bytes, from `get()`; without it the current object is copied
   * @param inRuns where another run may go on
   * @throws ObjectMissing, ObjectChanged, CopyUnfinished, ObjectsUnavailable where the time is over and no other run may go on
   */
  copy(source: CopiedObject, key: string, labels: ObjectLabels, inRuns?: CopyInRuns): Promise<ObjectInfo>
  /**
   * Makes a file of an object's bytes for tools that read it. Nobody writes to that file: it may share its storage with the object.
   * @param path where no file is yet; when this fails there may be one, unfinished
   * @throws ObjectMissing, ObjectChanged when the object is replaced meanwhile
   */
  fetch(key: string, path: string): Promise<ObjectInfo>
  /** Any number of keys; keys without an object are fine. */
  delete(keys: readonly string[]): Promise<void>
}

/** A bucket whose objects are read, as streams or as files, and never written. */
export type FetchedObjects = ObjectReader & Pick<Objects, 'fetch'>

/** A bucket of which objects at known keys are read, as streams or as files: nothing is listed. */
export type KnownObjects = Omit<FetchedObjects, 'list'>

/** A bucket whose objects are read and then removed, and never written. */
export type ConsumedObjects = ObjectReader & Pick<Objects, 'delete'>

/** A bucket that is brought to what records say, and never read. */
export type PublishedObjects = Pick<Objects, 'put' | 'copy' | 'list' | 'delete'>

/** Objects that somebody else stores, and that are added to, read and removed. */
export type StreamObjects = ObjectReader & Pick<Objects, 'put' | 'copy' | 'delete'>

/** A bucket whose objects are listed and removed, and never read. */
export type SweptObjects = Pick<Objects, 'list' | 'delete'>

/** A form with which a browser or another client posts a file directly to storage. */
export interface UploadForm {
  /** URL to post to. */
  action: string
  /** Hidden fields in the order in which to send them, the file comes last. The value of `key` ends in `${filename}`. */
  fields: { name: string; value: string }[]
}

export interface UploadForms {
  /**
   * A form whose file is stored as `<keyPrefix><file name as sent, after the last / or \>`. Storage enforces every limit and answers with a 303
   * to `redirect`, to which it adds the query parameters `bucket`, `key` and `etag`.
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

/** A file that a client stores in parts, each with a signed URL of its own. Plain JSON: another process can go on with it. */
export type PartUpload = {
  /** Where the object appears. */
  key: string
  id: string
  /** Size of the whole, and of each part but the last one, in bytes. */
  bytes: number
  partBytes: number
}

/** A part that storage has received. */
export interface ReceivedPart extends StoredPart {
  /** Of the part's bytes, without quotes; their MD5 in hex. */
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

/** Reads an object for its MD5, in lower-case hex. @returns undefined where the time is over, and another run goes on */
export type ReadMd5 = (objects: ObjectReader, object: ObjectEntry) => Promise<{ md5: string } | undefined>

/** Files that clients store in parts. Storage remembers the parts; the last one of a number counts. */
export interface PartUploads {
  /** Largest file whose MD5 is compared within a request, in bytes. */
  readonly maxComparedBytes: number
  beginParts(key: string, size: Pick<PartUpload, 'bytes' | 'partBytes'>): Promise<PartUpload>
  /**
   * A request that stores a part.
   * @param part.bytes its size: storage refuses any other
   * @param part.expires UTC, milliseconds since the epoch; at most an hour away
   */
  partRequest(upload: PartUpload, part: { number: number; bytes: number; expires: number }): Promise<PartRequest>
  /** Whether a part arrives at the moment. Storage that can't tell lacks it. */
  isArriving?(upload: PartUpload): boolean
  /** The parts received so far, by number. @throws CompositionMissing */
  receivedParts(upload: PartUpload): Promise<ReceivedPart[]>
  /**
   * Makes the object of its parts. It appears whole or not at all: then all parts stay. May be repeated after a lost answer: when the upload is
   * no more, an object of its size at its key is the result.
   * @param parts all of them, numbered 1 to their count, as `receivedParts` told them
   * @param md5 of the whole, in lower-case hex, which is compared
   * @param readMd5 used where storage can't compare before it has joined the parts; it reads the object at once by default
   * @throws CompositionMissing, PartInFlight, WrongMd5, ComparisonUnfinished, InvalidParts when a part is not the one named any more
   */
  joinParts(upload: PartUpload, parts: readonly ReceivedPart[], md5?: string, readMd5?: ReadMd5): Promise<ObjectInfo>
  /** Removes an unfinished upload with its parts, any number of times. */
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

/** The key now has another object. Nothing was copied. */
export class ObjectChanged extends Error {
  constructor(key: string) {
    super(`the object at ${key} was replaced`)
    this.name = 'ObjectChanged'
  }
}

/** The time was over before all was copied. The same call in another run goes on. */
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

/** Parts break the storage's rules, have gaps in their numbers, or are not of the size expected together. */
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

/** The parts have another CRC-32 than the one expected. No object appeared. */
export class WrongChecksum extends Error {
  constructor(key: string) {
    super(`the parts of ${key} have another CRC-32 than expected`)
    this.name = 'WrongChecksum'
  }
}

/** The parts have another MD5 than the one expected. No object appeared. */
export class WrongMd5 extends Error {
  /** The upload that has the parts now: it may be another one. */
  readonly upload: PartUpload
  constructor(upload: PartUpload) {
    super(`the parts of ${upload.key} have another MD5 than expected`)
    this.name = 'WrongMd5'
    this.upload = upload
  }
}

/** The time was over before the MD5 was compared. The same call in another run goes on. */
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

/** Storage throttled, timed out or could not be reached, after retries. A write may have happened, whole, or not. */
export class ObjectsUnavailable extends Error {
  override name = 'ObjectsUnavailable'
}
