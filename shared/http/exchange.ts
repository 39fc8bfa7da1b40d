import type { Readable } from 'node:stream'
import type middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import type { Clock } from '../backends/clock/port.ts'
import type { Caller } from '../library/access/caller.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../settings.ts'

/** What a process gives the kernel, once for all requests. */
export interface Kernel {
  settings: Settings
  clock: Clock
  log: Log
  /** Address of the API where it is fixed (one machine); otherwise taken from each request. */
  baseUrl?: string
  /** SHA-256 (hex) of the key by which the delivery network proves itself; see viewer.ts. */
  originKeyHash?: string
}

/** What the middlewares learn about one request and hand on to each other. */
export interface Exchange {
  readonly requestId: string
  /** Of `performance.now()`. */
  readonly startedAt: number
  caller?: Caller
  input?: { params: Record<string, unknown>; query: unknown; body: unknown }
}

/** The context in which a request runs: the exchange, and how long it may still take where that is limited. */
export interface ExchangeContext {
  exchange: Exchange
  getRemainingTimeInMillis?: Context['getRemainingTimeInMillis']
}

/** An answer as API Gateway takes it, or one whose body comes as it is made. */
export interface ApiResult extends APIGatewayProxyResult {
  /** The body, instead of `body`. Whoever gets it reads it to its end, or destroys it. */
  stream?: Readable
}

type ChainContext = Context & ExchangeContext

export type Chain = middy.MiddyfiedHandler<APIGatewayProxyEvent, ApiResult, Error, ChainContext>
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, ApiResult, Error, ChainContext>

/** A header by name, whatever the case in which it came. */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  const wanted = name.toLowerCase()
  for (const [key, value] of Object.entries(event.headers ?? {})) if (key.toLowerCase() === wanted) return value
  return undefined
}
