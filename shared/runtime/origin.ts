import type { Readable } from 'node:stream'

/** A request to an origin of the CDN: what its caches don't hold. */
export interface OriginRequest {
  /** The path that the edge function made, not decoded. */
  path: string
  /** The query string without its `?`. */
  query: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
}

export interface OriginAnswer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** The caller consumes or destroys a stream. */
  body?: Uint8Array | Readable
}
