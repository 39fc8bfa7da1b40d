import type { Messages } from '../../vocabulary/messages.ts'
import type { QueueSettings } from './port.ts'

export type QueueName = keyof Messages

/** The visibility timeout is six times the consumer's time-out, as AWS advises, or one minute more than it where that is long. */
export const queues: Record<QueueName, QueueSettings> = {
  imports: { visibilitySeconds: 960, maxReceives: 5 },
  removals: { visibilitySeconds: 960, maxReceives: 20 },
  downloads: { visibilitySeconds: 960, maxReceives: 5 },
  zips: { visibilitySeconds: 960, maxReceives: 8 },
  links: { visibilitySeconds: 360, maxReceives: 8 },
  masters: { visibilitySeconds: 960, maxReceives: 5 },
  invalidations: { visibilitySeconds: 360, maxReceives: 20 },
  encodings: { visibilitySeconds: 360, maxReceives: 8 },
  suggestions: { visibilitySeconds: 360, maxReceives: 8 },
  snapshots: { visibilitySeconds: 960, maxReceives: 5 },
  mails: { visibilitySeconds: 180, maxReceives: 8 },
  mailEvents: { visibilitySeconds: 180, maxReceives: 8 },
}
