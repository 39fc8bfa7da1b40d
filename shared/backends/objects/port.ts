import type { Readable } from 'node:stream'

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
}

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
}

/** A piece of a composed object: bytes given, or (a range of) an object of the same bucket. No piece is empty. */
export type Part = { bytes: Uint8Array } | { copy: string; range?: ByteRange }

export interface Objects extends ObjectReader {
  /** Stores bytes or a stream of unknown length (bounded memory). Nothing appears when the stream fails. */
  put(key: string, body: Uint8Array | Readable, labels: ObjectLabels): Promise<ObjectInfo>
  /**
   * Copies an object, of this bucket or of another one of the same kind, without passing its bytes through the caller.
   * @param source.etag of the expected bytes, from `get()`; without it the current object is copied
   * @throws ObjectMissing, ObjectChanged
   */
  copy(source: CopiedObject, key: string, labels: ObjectLabels): Promise<ObjectInfo>
  /**
   * Makes a file of an object's bytes for tools that read it. Nobody writes to that file: it may share its storage with the object.
   * @param path where no file is yet; when this fails there may be one, unfinished
   * @throws ObjectMissing, ObjectChanged when the object is replaced meanwhile
   */
  fetch(key: string, path: string): Promise<ObjectInfo>
  /** Any number of keys; keys without an object are fine. */
  delete(keys: readonly string[]): Promise<void>
  /**
   * Makes one object of many parts in order. Parts obey S3's rules (all but the last 5 MiB..5 GiB, at most 10,000, ranges only of
   * sources above 5 MiB), so that every plan works with both adapters. @throws ObjectMissing, ObjectChanged, InvalidParts
   */
  compose(key: string, parts: readonly Part[], labels: ObjectLabels): Promise<ObjectInfo>
}

/** A bucket whose objects are read and then removed, and never written. */
export type ConsumedObjects = ObjectReader & Pick<Objects, 'delete'>

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

/** The range starts at or after the end of the object. */
export class RangeOutside extends Error {
  override name = 'RangeOutside'
}

/** A composition breaks S3's rules for parts. */
export class InvalidParts extends Error {
  override name = 'InvalidParts'
}

/** Storage throttled, timed out or could not be reached, after retries. A write may have happened, whole, or not. */
export class ObjectsUnavailable extends Error {
  override name = 'ObjectsUnavailable'
}
