/** The object that is delivered for an original. */
export interface Deliverable {
  /** Object in the `media` bucket. */
  key: string
  /** Of that object; absent where it is the original, which never changes. */
  etag?: string
  bytes: number
  /** Unsigned, as zip archives have it. */
  crc32: number
  /** False where the file should carry the library's metadata, and does not. */
  metadataWritten: boolean
}
