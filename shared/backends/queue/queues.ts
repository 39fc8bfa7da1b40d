/** How a queue behaves. */
export interface QueueSettings {
  /** Visibility timeout in seconds: longer than the time-out of the consumer's function. */
  visibilitySeconds: number
  /** After this many receives without deletion a message becomes a dead letter. */
  maxReceives: number
}

/** Every queue of a deployed service. Each gets a dead-letter queue with an alarm. One machine has none. */
export type QueueName = keyof typeof queues

/**
 * The visibility timeout is six times the consumer's time-out, as AWS advises, or one minute more than it where that is long. The pauses between
 * the receives add up to a quarter of an hour or more (`retryPause`): an outage of some minutes makes no dead letters.
 */
export const queues = {
  /** Messages of AWS services that EventBridge passes on: ends of MediaConvert's jobs, e-mails that failed. Its consumer checks what it is. */
  serviceEvents: { visibilitySeconds: 180, maxReceives: 12 },
} satisfies Record<string, QueueSettings>
