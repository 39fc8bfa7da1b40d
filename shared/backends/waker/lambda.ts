import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { requestLimits } from '../aws/request-limits.ts'
import { type Clock, systemClock } from '../clock/port.ts'
import { type Waker, WakerUnavailable } from './port.ts'

/**
 * Shortest interval between wake-ups of a function, in milliseconds. In a small account each wake-up competes with requests for
 * concurrency.
 */
const INTERVAL_MS = 1_000

/** A client whose requests end in time. */
export function lambdaClient(): LambdaClient {
  return new LambdaClient({ requestHandler: requestLimits(5000) })
}

/** Invokes a function asynchronously. Lambda queues the event if the concurrency is exhausted. @throws WakerUnavailable */
export async function startRun(functionName: string, client: LambdaClient = lambdaClient()): Promise<void> {
  try {
    await client.send(new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload: '{}' }))
  } catch (cause) {
    throw new WakerUnavailable(`the function "${functionName}" could not be invoked`, { cause })
  }
}

/**
 * Invokes the functions of groups, each at most once a second. A call within that second waits for its end, because the previous run may
 * already have looked for jobs. Waiting calls share one run.
 * @param options.prefix prefix of the functions' names
 * @param options.kinds comma-separated list of `<kind>:<group>`
 */
export function lambdaWaker({
  prefix,
  kinds,
  client = lambdaClient(),
  clock = systemClock,
}: {
  prefix: string
  kinds: string
  client?: LambdaClient
  clock?: Clock
}): Waker {
  const groups = new Map(kinds.split(',').map((pair) => pair.split(':', 2) as [string, string]))
  /** When each group was last woken, in UNIX milliseconds. */
  const woken = new Map<string, number>()
  const waiting = new Map<string, Promise<void>>()

  async function wakeLater(group: string, ms: number): Promise<void> {
    await clock.sleep(ms)
    waiting.delete(group)
    await wakeNow(group)
  }

  async function wakeNow(group: string): Promise<void> {
    woken.set(group, clock.now())
    await startRun(`${prefix}${group}`, client)
  }

  return {
    kinds: [...groups.keys()],
    groupOf: (kind) => groups.get(kind) ?? kind,
    wake(group) {
      const ms = Math.min((woken.get(group) ?? 0) + INTERVAL_MS - clock.now(), INTERVAL_MS)
      if (ms <= 0) return wakeNow(group)
      const shared = waiting.get(group) ?? wakeLater(group, ms)
      waiting.set(group, shared)
      return shared
    },
  }
}
