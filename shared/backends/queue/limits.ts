/** The longest delay of a message, and the most messages that one receive returns. These are SQS's limits; every adapter keeps them. */
const maxDelaySeconds = 900
export const maxReceiveBatch = 10

/** @throws RangeError unless it is 0 to 900 whole seconds */
export function checkDelay(seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > maxDelaySeconds) {
    throw new RangeError(`A message can be delayed by 0 to ${maxDelaySeconds} whole seconds, not by ${seconds}`)
  }
}

/** @throws RangeError unless it is 1 to 10 */
export function checkReceiveBatch(max: number): void {
  if (!Number.isInteger(max) || max < 1 || max > maxReceiveBatch) {
    throw new RangeError(`A receive takes 1 to ${maxReceiveBatch} messages, not ${max}`)
  }
}

/** @throws RangeError unless it is 1 to 128 printable ASCII characters without spaces */
export function checkGroup(group: string | undefined): void {
  if (group !== undefined && !/^[!-~]{1,128}$/.test(group)) {
    throw new RangeError(`A message's group has 1 to 128 letters, digits and punctuation marks, unlike ${JSON.stringify(group)}`)
  }
}
