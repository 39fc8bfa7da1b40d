import type { Readable } from 'node:stream'

/** A request to an origin of the CDN: what its caches don't hold. */
export interface OriginRequest {
  /** As the edge function made it, not decoded. */
  path: string
  /** Without `?`. */
  query: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
}

export interface OriginAnswer {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Whoever gets a stream consumes or destroys it. */
  body?: Uint8Array | Readable
}
