/** The queue as a consumer's function uses it: Lambda receives messages and deletes them. */
export interface MessageVisibility {
  /** Hides a message for so many seconds from now; 0 makes it visible at once. A stale receipt is ignored. @throws QueueUnavailable */
  extend(receipt: string, seconds: number): Promise<void>
}

/** The queue could not be reached or refused the call. */
export class QueueUnavailable extends Error {
  override name = 'QueueUnavailable'
}
