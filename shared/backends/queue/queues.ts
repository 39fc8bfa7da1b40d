import type { Messages } from '../../library/vocabulary/messages.ts'
import type { QueueSettings } from './port.ts'

export type QueueName = keyof Messages

/** Visibility is six times the consumer's time-out, as AWS advises, or its time-out and a minute where that is long. */
export const queues: Record<QueueName, QueueSettings> = {
  imports: { visibilitySeconds: 960, maxReceives: 5 },
  removals: { visibilitySeconds: 960, maxReceives: 20 },
  mails: { visibilitySeconds: 180, maxReceives: 8 },
}
