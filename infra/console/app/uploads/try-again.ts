import { Refused } from '../api/client.ts'

/** Parts that arrive while others are asked about pass, too. */
const PASSING = ['part_in_flight', 'parts_missing']

/** Whether another try may succeed: the network, or a service that is busy. */
export const passes = (failure: unknown): boolean =>
  failure instanceof Refused && (failure.status === 0 || failure.status === 429 || failure.status >= 500 || PASSING.includes(failure.code))

/** Waits longer after each try. @param tries that failed so far */
export const waitBefore = (tries: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500 * 3 ** tries))
