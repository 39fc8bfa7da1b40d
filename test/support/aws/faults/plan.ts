import { createHash } from 'node:crypto'
import type { Fault, Request } from './fault.ts'
import { operationOf } from './operation.ts'

/** What may go wrong, and how often. */
export interface FaultPlan {
  /** The same seed gives the nth request of an operation the same fault. */
  seed: string
  /** Share of the requests that something may happen to, to which it does; 1 is all of them. */
  rate: number
  /** What may happen to a request; nothing when there are none. */
  faults(operation: string, request: Request): readonly Fault[]
}

/**
 * @returns picks the fault of each request, in their order; undefined leaves it alone. The last attempt of a client that gives up after
 *   some is left alone, unless everything fails.
 */
export function faultPicker({ seed, rate, faults }: FaultPlan): (request: Request) => Fault | undefined {
  const counts = new Map<string, number>()
  return (request) => {
    const operation = operationOf(request)
    const count = (counts.get(operation) ?? 0) + 1
    counts.set(operation, count)
    const possible = faults(operation, request)
    if (possible.length === 0 || (rate < 1 && isLastAttempt(request))) return undefined
    const chance = createHash('sha256').update(`${seed}/${operation}/${count}`).digest()
    if (chance.readUInt32BE(0) / 2 ** 32 >= rate) return undefined
    return possible[chance.readUInt32BE(4) % possible.length]
  }
}

/** The SDK tells which attempt a request is: `attempt=2; max=3`. A client that makes only one leaves repeating to its caller. */
function isLastAttempt({ headers }: Request): boolean {
  const [, attempt, max] = /attempt=(\d+); max=(\d+)/.exec(String(headers['amz-sdk-request'])) ?? []
  return max !== undefined && Number(max) > 1 && attempt === max
}
