import type { EdgeCache } from './port.ts'

/**
 * The cache of links on one machine. It keeps what it has under the revision of each object and asks for that before it answers, and of streams
 * nothing at all, so it need not be told to forget anything.
 */
export function embeddedEdgeCache(): EdgeCache {
  return {
    inFlightSeconds: 0,
    pauseSeconds: 0,
    invalidate: async (_what, reference) => reference,
    isDone: async () => true,
  }
}
