/**
 * The queue port: at-least-once, unordered. What is received stays hidden for a while and comes back unless it is deleted;
 * what was received `maxReceives` times in vain moves to the queue's dead letters.
 *
 * Messages may belong to groups (companies), which take turns: however many messages of others wait, a group waits for no more than what
 * is being worked on and about one message of each other group that waits. (SQS does so by and large: its fair queues prefer the
 * messages of quiet groups once one takes more than a tenth of the time.)
 */
export interface QueueSender<Message> {
  /** @throws QueueUnavailable when it is not known to be stored; RangeError for a delay or group that can't be */
  send(message: Message, options?: SendOptions): Promise<void>
  /** Any number of messages. May stop half-way with an error: senders repeat, receivers are idempotent. */
  sendMany(messages: readonly Message[], options?: Pick<SendOptions, 'group'>): Promise<void>
}

export interface SendOptions {
  /** 0 (default) to 900, whole seconds. */
  delaySeconds?: number
  /** Whose it is: 1 to 128 letters, digits and punctuation marks of ASCII. What belongs to nobody has one turn among the groups. */
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
  /** Done with it. A stale receipt is ignored (as a rule: SQS's standard queues may still honour it). */
  delete(receipt: string): Promise<void>
  /** Hides it for so many seconds from now; 0 gives it back at once. A stale receipt is ignored. */
  extend(receipt: string, seconds: number): Promise<void>
  /** Up to `max` dead letters, without removing them. */
  deadLetters(max: number): Promise<Message[]>
}

/** How a queue behaves. */
export interface QueueSettings {
  /** Time a consumer has before the message comes back, in seconds; above its function's time-out. */
  visibilitySeconds: number
  /** After this many receives in vain a message becomes a dead letter. */
  maxReceives: number
}

/** The queue could not be reached or refused the call. */
export class QueueUnavailable extends Error {
  override name = 'QueueUnavailable'
}
