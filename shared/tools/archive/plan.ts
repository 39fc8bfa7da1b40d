/** A file in an archive, or an empty folder, whose `bytes` are 0 and whose path ends in `/`. */
export interface ArchiveEntry {
  /** Relative, separated by `/`: `Harbour/Boat.jpg`. At most 65,535 bytes of UTF-8. */
  path: string
  /** UTC, milliseconds since the epoch. */
  modified: number
  bytes: number
  /** CRC-32 of these bytes. */
  crc32: number
  /** Object that holds the bytes. Absent for folders and empty files. */
  key?: string
  /** ETag of the object, so that no newer one is read. */
  etag?: string
}

/** Bytes `start` to `end`, both included, of an object. */
export interface ObjectRange {
  key: string
  etag?: string
  start: number
  end: number
}

/** A source of bytes: literal, or in an object. */
export type Segment = { bytes: Uint8Array } | ObjectRange

/**
 * A part of a composed object: segments that the planner's caller assembles, a range that storage copies, or bytes `start` to `end` (both
 * included) of an intermediate object that is composed first and removed with the archive's completion. Parts of the same intermediate
 * object are adjacent.
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
  /** CRC-32 of the whole object. */
  crc32: number
  /** Generated lazily, the same every time. None is empty. */
  parts(): Iterable<PlannedPart>
}

/** Storage's limits for the parts of a composed object. The last part may be smaller. */
export interface PartRules {
  minBytes: number
  /** At least four times `minBytes`. */
  maxBytes: number
  maxParts: number
  /** Only objects with more bytes can be copied by ranges. */
  minRangeSourceBytes: number
}

/** The archive would have more parts than storage allows, even with intermediate objects, or a path too long for the format. */
export class ArchiveTooLarge extends Error {
  override name = 'ArchiveTooLarge'
}
