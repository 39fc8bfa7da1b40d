import type { Messages } from '../../vocabulary/messages.ts'
import type { QueueSettings } from './port.ts'

export type QueueName = keyof Messages

/**
 * The visibility timeout is six times the consumer's time-out, as AWS advises, or one minute more than it where that is long. The pauses between
 * the receives add up to a quarter of an hour or more (`retryPause`): an outage of some minutes makes no dead letters.
 */
export const queues: Record<QueueName, QueueSettings> = {
  imports: { visibilitySeconds: 960, maxReceives: 10 },
  serviceEvents: { visibilitySeconds: 180, maxReceives: 12 },
}
