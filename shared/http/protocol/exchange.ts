import type middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import type { Clock } from '../../backends/clock/port.ts'
import type { Caller } from '../../library/access/caller.ts'
import type { Visit } from '../../library/shares/visit.ts'
import type { Log } from '../../log/log.ts'
import type { Settings } from '../../settings.ts'

/** Settings and services of a process, shared by all requests. */
export interface Kernel {
  settings: Settings
  clock: Clock
  log: Log
  /** Address of the API where it is fixed (one machine). Elsewhere each request tells it. */
  baseUrl?: string
  /** SHA-256 (hex) of each key with which the delivery network may authenticate itself; see `viewerOf()`. */
  originKeyHashes?: readonly string[]
  /** Whether the disk of the data is full, or would be with so many more bytes. Absent where storage has no end. */
  isDiskFull?(more?: number): boolean
  /** Changes with the code and its settings. Where it is absent, each process has a version of its own. */
  version?(): string
  /** Bytes of the largest answer that can be sent in one piece, as API Gateway takes it. Absent where nothing limits them. */
  maxAnswerBytes?: number
}

/** State of one request, which the middlewares fill in. */
export interface Exchange {
  readonly requestId: string
  /** Of `performance.now()`. */
  readonly startedAt: number
  caller?: Caller
  /** The share link by which the request came, opened. */
  visit?: Visit
  /** Whether no cache may store the answer, although other answers of the endpoint are stored. */
  isNoStore?: boolean
  input?: { params: Record<string, unknown>; query: unknown; body: unknown; expectedVersions?: readonly number[] | undefined }
}

/** Context of a request: its state, and its remaining time where that is limited. */
export interface ExchangeContext {
  exchange: Exchange
  getRemainingTimeInMillis?: Context['getRemainingTimeInMillis']
}

/** The part of API Gateway's events that is read (REST, payload 1.0). */
export interface ApiEvent
  extends Pick<
    APIGatewayProxyEvent,
    'httpMethod' | 'resource' | 'headers' | 'pathParameters' | 'queryStringParameters' | 'multiValueQueryStringParameters'
  > {
  /** All values of each header. Absent where none comes twice. */
  multiValueHeaders?: APIGatewayProxyEvent['multiValueHeaders']
  /** Text, in base64 where `isBase64Encoded` says so. The server of one machine has the bytes. */
  body: string | Buffer | null
  isBase64Encoded: boolean
  requestContext: { requestId: string; identity: { sourceIp: string }; domainName?: string; stage?: string }
}

/** An answer as API Gateway takes it, or one whose body is bytes. */
export interface ApiResult extends APIGatewayProxyResult {
  /** The body, instead of `body`, in pieces: text in UTF-8, unless a `Content-Encoding` says otherwise. Others may hold the same bytes. */
  pieces?: readonly Buffer[]
}

type ChainContext = Context & ExchangeContext

export type Chain = middy.MiddyfiedHandler<ApiEvent, ApiResult, Error, ChainContext>
export type Middleware = middy.MiddlewareObj<ApiEvent, ApiResult, Error, ChainContext>

/** A header by its name in lower case. Clients and gateways write names in any case. */
export function header({ headers }: Pick<ApiEvent, 'headers'>, name: Lowercase<string>): string | undefined {
  // Most are in lower case already: those of one machine, and those of HTTP/2.
  const value = headers?.[name]
  if (value !== undefined) return value
  for (const key in headers) if (key.length === name.length && key.toLowerCase() === name) return headers[key]
  return undefined
}

/** Whether a person looks at the answer, in a browser: programs rarely say what they take. */
export const wantsPage = (event: Pick<ApiEvent, 'headers'>): boolean => header(event, 'accept')?.includes('text/html') ?? false

/** The bytes of a request's body. */
export function bodyOf({ body, isBase64Encoded }: Pick<ApiEvent, 'body' | 'isBase64Encoded'>): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
}

/** All values of a header that may come several times. @param name in lower case */
export function headerValues(
  { headers, multiValueHeaders }: Pick<ApiEvent, 'headers' | 'multiValueHeaders'>,
  name: Lowercase<string>,
): string[] {
  const known = Object.entries(multiValueHeaders ?? {}).flatMap(([key, values]) => (key.toLowerCase() === name ? (values ?? []) : []))
  const last = header({ headers }, name)
  return known.length > 0 || last === undefined ? known : [last]
}

/** Sets headers of an answer. Those of the same name are replaced. */
export function setHeaders(answer: ApiResult, headers: Readonly<Record<string, string>>): void {
  answer.headers ??= {}
  Object.assign(answer.headers, headers)
}

/** How many bytes these pieces of a body have in all. */
export const bytesOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0)
