/**
 * The queue port: at-least-once, unordered. A received message stays hidden for the visibility timeout and is delivered again unless it is
 * deleted. After `maxReceives` receives without deletion it becomes a dead letter.
 *
 * Messages may belong to groups (companies), which take turns: a group waits for the messages in flight and for about one message of each
 * other group, however long the others' backlogs are. (SQS approximates this: its fair queues prefer the messages of quiet groups once one
 * group takes more than a tenth of the time.)
 */
export interface QueueSender<Message> {
  /** @throws QueueUnavailable when the message may not be stored; RangeError for an invalid delay or group */
  send(message: Message, options?: SendOptions): Promise<void>
  /** Any number of messages. May fail half-way: the sender then sends all of them again, and receivers are idempotent. */
  sendMany(messages: readonly Message[], options?: Pick<SendOptions, 'group'>): Promise<void>
}

export interface SendOptions {
  /** 0 (default) to 900, whole seconds. */
  delaySeconds?: number
  /** The group: 1 to 128 letters, digits and punctuation marks of ASCII. Messages without one are a group of their own. */
  group?: string
}

export interface Delivery<Message> {
  /** Names the message within its queue; the same in each delivery. */
  id: string
  message: Message
  /** How many times it has been received, this time included. */
  receives: number
  /** Names this delivery for `delete` and `extend`. A later delivery of the message makes it stale. */
  receipt: string
}

/** Receiving half: the embedded server's pollers and the contract suite use it (on AWS an event source mapping does). */
export interface Queue<Message> extends QueueSender<Message> {
  /** Up to `max` (1 to 10) messages, waiting up to `waitSeconds` (default 0) for the first. They stay hidden for the queue's visibility time. */
  receive(max: number, options?: { waitSeconds?: number }): Promise<Delivery<Message>[]>
  /** Deletes the message. A stale receipt is ignored, except that SQS's standard queues may still accept it. */
  delete(receipt: string): Promise<void>
  /** Hides the message for so many seconds from now; 0 makes it visible at once. A stale receipt is ignored. */
  extend(receipt: string, seconds: number): Promise<void>
  /** Up to `max` dead letters, without removing them. */
  deadLetters(max: number): Promise<Message[]>
}

/** How a queue behaves. */
export interface QueueSettings {
  /** Visibility timeout in seconds: longer than the time-out of the consumer's function. */
  visibilitySeconds: number
  /** After this many receives without deletion a message becomes a dead letter. */
  maxReceives: number
}

/** The queue could not be reached or refused the call. */
export class QueueUnavailable extends Error {
  override name = 'QueueUnavailable'
}
