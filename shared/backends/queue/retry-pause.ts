import type { QueueSettings } from './port.ts'

/**
 * Seconds until a message whose consumer failed comes back, in both homes: 2, 4, 8 and so on, below the visibility time, for which only a
 * crash keeps a message. After its last try there is nothing to wait for: it is given back at once, and so becomes a dead letter.
 * @param receives how many times it has been received
 */
export function retryPause(receives: number, { visibilitySeconds, maxReceives }: QueueSettings): number {
  return receives >= maxReceives ? 0 : Math.min(2 ** receives, visibilitySeconds - 1)
}
