/**
 * What edges keep of the objects that they deliver. An object has a tag (`cacheTag` in its labels). Edges forget all objects of a tag together,
 * with whatever was rendered from them.
 */
export interface EdgeCache {
  /**
   * Seconds after which no answer is on its way any more that its origin made before an invalidation began. Such an answer may be cached after
   * the invalidation is done, so it takes another one.
   */
  readonly inFlightSeconds: number
  /** Seconds to leave between two calls of `invalidate`, so that many tags go in one, and between two of `isDone`. */
  readonly pauseSeconds: number
  /**
   * Makes edges forget everything with one of these tags. Begins here, and goes on by itself until `isDone`.
   * @param tags 1 to `MAX_TAGS` different ones; case doesn't count
   * @param reference names the call, 1 to 128 letters, digits, `-` and `.`: repeated with the same tags, it begins nothing again
   * @returns an id for `isDone`
   * @throws EdgeCacheBusy, EdgeCacheUnavailable
   */
  invalidate(tags: readonly string[], reference: string): Promise<string>
  /** Whether all edges have forgotten. One that nobody knows any more is done. @throws EdgeCacheBusy, EdgeCacheUnavailable */
  isDone(id: string): Promise<boolean>
}

/** Most tags of one invalidation. */
export const MAX_TAGS = 1000

/** Too many invalidations are in progress, or requests come too fast. The same call is good later. */
export class EdgeCacheBusy extends Error {
  override name = 'EdgeCacheBusy'
}

/** The cache could not be reached, or refused the call. An invalidation may have begun: the same call with the same reference finds it. */
export class EdgeCacheUnavailable extends Error {
  override name = 'EdgeCacheUnavailable'
}
