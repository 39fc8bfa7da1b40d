/**
 * The objects that edges forget by one request. An object may have a tag (`cacheTag` in its labels): all objects of a tag are forgotten together, with
 * whatever was rendered from them. Objects without one are forgotten by what their paths begin with (`/streams/0c8e…/`).
 */
export type Forgotten = { tags: readonly string[] } | { prefixes: readonly string[] }

/** The cache of the edges. */
export interface EdgeCache {
  /**
   * Seconds after which no answer is on its way any more that its origin made before an invalidation began. Such an answer may be cached after
   * the invalidation is done, so it takes another one.
   */
  readonly inFlightSeconds: number
  /** Seconds to leave between two calls of `invalidate`, so that much goes in one, and between two of `isDone`. */
  readonly pauseSeconds: number
  /**
   * Makes edges forget objects. Begins here, and goes on by itself until `isDone`.
   * @param what 1 to `MAX_TAGS` different tags, whose case doesn't count, or 1 to `MAX_PREFIXES` different beginnings of paths
   * @param reference names the call, 1 to 128 letters, digits, `-` and `.`: repeated with the same content, it begins nothing again
   * @returns an id for `isDone`
   * @throws EdgeCacheBusy, EdgeCacheUnavailable
   */
  invalidate(what: Forgotten, reference: string): Promise<string>
  /** Whether all edges have forgotten. One that nobody knows any more is done. @throws EdgeCacheBusy, EdgeCacheUnavailable */
  isDone(id: string): Promise<boolean>
}

/** Most tags of one invalidation. */
export const MAX_TAGS = 1000

/** Most beginnings of paths of one invalidation, and of all that are in progress. */
export const MAX_PREFIXES = 15

/** Too many invalidations are in progress, or requests come too fast. The same call is good later. */
export class EdgeCacheBusy extends Error {
  override name = 'EdgeCacheBusy'
}

/** The cache could not be reached, or refused the call. An invalidation may have begun: the same call with the same reference finds it. */
export class EdgeCacheUnavailable extends Error {
  override name = 'EdgeCacheUnavailable'
}
