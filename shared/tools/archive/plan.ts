/** A file of an archive, or an empty folder: then `bytes` is 0 and the path ends in `/`. */
export interface ArchiveEntry {
  /** Relative, its names separated by `/`: `Harbour/Boat.jpg`. At most 65,535 bytes of UTF-8. */
  path: string
  /** UTC, milliseconds since the epoch. */
  modified: number
  bytes: number
  /** CRC-32 of these bytes. */
  crc32: number
  /** Object that holds the bytes. Absent for folders and empty files. */
  key?: string
  /** The ETag of that object, so that no other one is read. */
  etag?: string
}

/** Bytes `start` to `end`, both included, of an object. */
export interface ObjectRange {
  key: string
  etag?: string
  start: number
  end: number
}

/** A source of bytes: given, or in an object. */
export type Segment = { bytes: Uint8Array } | ObjectRange

/**
 * A part of an object that is composed: segments that the planner's caller puts together, a range that storage copies, or bytes `start`
 * to `end` (both included) of an object that is composed first, and no longer needed when the archive is there. Parts of the same
 * object follow each other.
 */
export type PlannedPart = { bytes: number } & (
  | { segments: readonly Segment[] }
  | { copy: ObjectRange }
  | { object: ObjectPlan; start: number; end: number }
)

/** How an object is composed, in terms of parts that storage accepts. */
export interface ObjectPlan {
  /** Unique within the archive: `archive`, `section-000001`, `file-000017`. */
  name: string
  bytes: number
  /** CRC-32 of all of it. */
  crc32: number
  /** Made as they are asked for, the same every time. All have bytes. */
  parts(): Iterable<PlannedPart>
}

/** The rules of storage for the parts of a composed object. The last part may be smaller. */
export interface PartRules {
  minBytes: number
  /** At least four times as many. */
  maxBytes: number
  maxParts: number
  /** Only objects of more bytes than these can be copied by ranges. */
  minRangeSourceBytes: number
}

/** The archive would have more parts than storage accepts, even in parts of parts, or a path that the format has no room for. */
export class ArchiveTooLarge extends Error {
  override name = 'ArchiveTooLarge'
}
