import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleType,
  retry,
} from 'cockatiel'
import type * as z from 'zod'
import type { Log } from '../../log/log.ts'
import { type Clock, systemClock } from '../clock/port.ts'
import { timeLimit } from '../clock/time-limit.ts'
import { ServiceDown, ServiceUnavailable } from './failure.ts'
import { readAnswer } from './read-answer.ts'

/** Consecutive failures that open the circuit breaker, and how long it stays open, in milliseconds. */
const FAILURES = 5
const BREAK_MS = 10_000

/** Attempts after the first one. They share the call's time. */
const RETRIES = 2

/** Parallel calls. Each holds a connection, and an answer in memory. */
const PARALLEL_CALLS = 32

/** Error codes from before anything was sent. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

export interface RemoteServiceOptions {
  /** Base address of the service's operations, without trailing slash. The operator sets it, so it may be internal. */
  baseUrl: string
  /** Sent as `Authorization: Bearer`. */
  key?: () => Promise<string>
  clock?: Clock
  log: Log
}

export interface RemoteRequest {
  method: 'GET' | 'POST'
  /** Relative to the base URL, without leading slash: `items/12`. The caller encodes values in it. */
  path: string
  query?: URLSearchParams
  headers?: Readonly<Record<string, string>>
  body?: { type: string; bytes: Uint8Array<ArrayBuffer> | string }
  /** Whether the request may be retried. */
  repeatable: boolean
  /** Time for the call and its retries, in milliseconds; largest answer after decompression, in bytes. */
  limits: { timeoutMs: number; answerBytes: number }
}

export interface RemoteService {
  /** @returns the answer parsed by the schema; undefined if the service answers 404 @throws ServiceRefusal, ServiceUnavailable */
  call<T>(request: RemoteRequest, schema: z.ZodType<T>): Promise<T | undefined>
}

/**
 * Calls a JSON service that the operator configures. Its answers are not trusted: time and bytes are limited, redirects are not followed,
 * and only what the schema allows is returned. A circuit breaker stops calls to a failing service for a while, so that nobody waits for it.
 */
export function remoteService({ baseUrl, key, clock = systemClock, log }: RemoteServiceOptions): RemoteService {
  const { host } = new URL(baseUrl)
  const down = handleType(ServiceDown)
  const breaker = circuitBreaker(down, { halfOpenAfter: BREAK_MS, breaker: new ConsecutiveBreaker(FAILURES) })
  const again = retry(down, { maxAttempts: RETRIES, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 }) })
  const places = bulkhead(PARALLEL_CALLS)
  breaker.onBreak((reason) =>
    log.warn('A service outside fails and is left alone for a while', { service: host, seconds: BREAK_MS / 1000, ...failureOf(reason) }),
  )
  breaker.onReset(() => log.info('A service outside is used again', { service: host }))

  async function attempt<T>(request: RemoteRequest, schema: z.ZodType<T>, signal: AbortSignal): Promise<T | undefined> {
    // The breaker would make others wait for the one call that tests whether the service is back.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
    return breaker.execute(async () => {
      const response = await send(request, signal)
      return readAnswer(response, { host, schema, maxBytes: request.limits.answerBytes, signal })
    })
  }

  async function authorization(): Promise<{ authorization?: string }> {
    if (!key) return {}
    try {
      return { authorization: `Bearer ${await key()}` }
    } catch {
      throw new ServiceDown(`the key for ${host} can't be read`)
    }
  }

  async function send({ method, path, query, headers, body }: RemoteRequest, signal: AbortSignal): Promise<Response> {
    const authorized = await authorization()
    try {
      return await fetch(`${baseUrl}/${path}${query ? `?${query}` : ''}`, {
        method,
        headers: { accept: 'application/json', ...(body && { 'content-type': body.type }), ...headers, ...authorized },
        ...(body && { body: body.bytes }),
        redirect: 'manual',
        signal,
      })
    } catch (error) {
      const code = codeOf(error)
      const failure = signal.aborted ? 'did not answer in time' : `could not be reached${code && ` (${code})`}`
      throw new ServiceDown(`${host} ${failure}`, { mayHaveActed: !NOT_CONNECTED.includes(code) })
    }
  }

  return {
    async call(request, schema) {
      // Also aborts the reading of an answer.
      using limit = timeLimit(clock, request.limits.timeoutMs)
      const { signal } = limit
      let mayHaveActed = false
      const once = () =>
        attempt(request, schema, signal).catch((error: unknown) => {
          if (error instanceof ServiceUnavailable) mayHaveActed ||= error.mayHaveActed
          throw error
        })
      try {
        return await places.execute(() => (request.repeatable ? again.execute(once, signal) : once()))
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw new ServiceUnavailable(`${host} is left alone for a while`, { mayHaveActed })
        if (error instanceof BulkheadRejectedError) throw new ServiceUnavailable(`too many calls of ${host} are under way`)
        if (error instanceof ServiceUnavailable) {
          log.warn('A service outside gave no usable answer', { service: host, failure: error.message })
          // True if any attempt may have acted.
          error.mayHaveActed = mayHaveActed
        }
        throw error
      }
    },
  }
}

/** The system's code of a network failure, such as `ECONNREFUSED`; empty without one. Messages aren't used: they contain addresses. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

function failureOf(reason: unknown): { failure?: string } {
  const error = typeof reason === 'object' && reason !== null && 'error' in reason ? reason.error : undefined
  return error instanceof ServiceDown ? { failure: error.message } : {}
}
