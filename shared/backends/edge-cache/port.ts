/**
 * The objects of one invalidation: those with a tag (`cacheTag` in their labels), together with everything rendered from them, or those
 * whose paths begin with a prefix (`/streams/0c8e…/`).
 */
export type Forgotten = { tags: readonly string[] } | { prefixes: readonly string[] }

/** The cache of the edges. */
export interface EdgeCache {
  /**
   * Longest time that an answer is in flight from the origin to an edge, in seconds. An answer made before an invalidation may be cached
   * after it, so a second invalidation is needed after this time.
   */
  readonly inFlightSeconds: number
  /** Pause between two calls of `invalidate`, so that it batches many objects, and poll interval of `isDone`, in seconds. */
  readonly pauseSeconds: number
  /**
   * Starts an invalidation, which runs until `isDone`.
   * @param what 1 to `MAX_TAGS` distinct tags, regardless of case, or 1 to `MAX_PREFIXES` distinct prefixes
   * @param reference idempotency key of the call: 1 to 128 letters, digits, `-` and `.`
   * @returns an id for `isDone`
   * @throws EdgeCacheBusy, EdgeCacheUnavailable
   */
  invalidate(what: Forgotten, reference: string): Promise<string>
  /** Whether an invalidation is complete. Unknown ids count as complete. @throws EdgeCacheBusy, EdgeCacheUnavailable */
  isDone(id: string): Promise<boolean>
}

/** Most tags of one invalidation. */
export const MAX_TAGS = 1000

/** Most prefixes of one invalidation, and of all in progress together. */
export const MAX_PREFIXES = 15

/** Too many invalidations are in progress, or requests are too frequent. Try the same call later. */
export class EdgeCacheBusy extends Error {
  override name = 'EdgeCacheBusy'
}

/** The cache could not be reached, or refused the call. The invalidation may have begun: the same call with the same reference finds it. */
export class EdgeCacheUnavailable extends Error {
  override name = 'EdgeCacheUnavailable'
}
