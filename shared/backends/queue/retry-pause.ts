import type { QueueSettings } from './queues.ts'

/**
 * Seconds until a message is delivered again whose consumer failed: 2, 4, 8 and so on, less than the visibility
 * timeout, which applies after a crash. After the last attempt it is 0: the message becomes a dead letter at once.
 * @param receives how many times it has been received
 */
export function retryPause(receives: number, { visibilitySeconds, maxReceives }: QueueSettings): number {
  return receives >= maxReceives ? 0 : Math.min(2 ** receives, visibilitySeconds - 1)
}
