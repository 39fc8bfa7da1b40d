import type { z } from 'zod'
import type { Clock } from '../backends/clock/port.ts'
import type { Granted, Uses } from '../backends/resources.ts'
import type { ApplicationCaller, Caller, UserCaller } from '../library/access/caller.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../settings.ts'
import type { Tool } from '../tools/tool.ts'
import type { AnsweredPage, PageOutput } from './page.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Method and path; `{name}` is a path parameter, `{name+}` takes the rest of the path. */
export type Route = `${Method} /${string}`

/** Method and path of a route. */
export function splitRoute(route: Route): { method: Method; path: string } {
  const at = route.indexOf(' ')
  return { method: route.slice(0, at) as Method, path: route.slice(at + 1) }
}

/**
 * Who may call:
 * - `anyone`: no authorization, one that comes along is ignored
 * - `user`: a user's token
 * - `user or application`: a user's token, or the HMAC scheme with a key that was granted `downloads`
 * - `password reset application`: the HMAC scheme with a key that was granted `password_reset`
 */
export type EndpointAccess = 'anyone' | 'user' | 'user or application' | 'password reset application'

export type CallerFor<A extends EndpointAccess> = A extends 'anyone'
  ? undefined
  : A extends 'user'
    ? UserCaller
    : A extends 'password reset application'
      ? ApplicationCaller
      : Caller

/** What every handler receives besides its input and what it uses. */
export interface RequestContext {
  clock: Clock
  settings: Settings
  /** Address of the API as this request reached it, without trailing slash. */
  baseUrl: string
  /** The caller's network address, as the delivery network saw it. */
  sourceAddress: string
  requestId: string
  log: Log
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** A file that comes in a form. Made by `multipartFile()`, which only functions that take files carry a parser for. */
export interface FileInput {
  /** Name of the form's field that holds it. */
  field: string
  /** Bytes of the largest file that is taken. */
  maxBytes: number
  /** Media types of the files that are taken, for the API document. */
  mediaTypes: readonly string[]
  /** Takes the file out of a request's body. @throws Invalid, TooLarge */
  read(contentType: string | undefined, body: Buffer): Promise<Buffer>
}

/** Declares that a 200 is a file of this type instead of JSON. */
export interface FileOutput {
  mediaType: string
}

/** The file that a handler answers with. */
export interface AnsweredFile {
  bytes: Uint8Array
  /** Under which it is saved: letters, digits, `_`, `-` and `.` only. */
  filename: string
}

/** What a 200 may be: JSON of a schema, a file, an HTML page. */
export type Output = z.ZodType | FileOutput | PageOutput

/** What a handler returns for it; nothing where it never answers 200. */
type Answered<R extends Output | undefined> = R extends z.ZodType
  ? z.input<R>
  : R extends FileOutput
    ? AnsweredFile
    : R extends PageOutput
      ? AnsweredPage
      : never

/** Whether an endpoint answers with a file. */
export function isFileOutput(returns: Output): returns is FileOutput {
  return 'mediaType' in returns
}

/** Whether an endpoint answers with an HTML page. */
export function isPageOutput(returns: Output): returns is PageOutput {
  return 'page' in returns
}

/** How an endpoint refuses requests: the typed errors of errors.ts, in the words of the API document. */
export type Refusal = 'unauthorized' | 'forbidden' | 'not found' | 'conflict' | 'too many' | 'not ready'

/** Another answer than 200 with a JSON body: made by `accepted()`, `created()`, `noContent()` or `redirect()`. */
export class OtherAnswer<R = unknown> {
  readonly kind: 'accepted' | 'created' | 'no content' | 'redirect'
  readonly body: R | undefined
  readonly location: string | undefined
  constructor(kind: OtherAnswer['kind'], { body, location }: { body?: R; location?: string } = {}) {
    this.kind = kind
    this.body = body
    this.location = location
  }
}

/** 503 with the body of a 200: the service can't do its work. */
export class Unavailable<Body = unknown> {
  readonly body: Body
  constructor(body: Body) {
    this.body = body
  }
}

export interface EndpointDefinition<
  U extends Uses,
  A extends EndpointAccess,
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends Output | undefined,
  Acc extends z.ZodType | undefined,
  F extends FileInput | undefined,
> {
  route: Route
  /** One line for the API document. */
  summary: string
  /** What a caller has to know beyond that: rights, effects, special cases. Sentences for the API document, in Markdown. */
  description: string
  access: A
  uses: U
  params?: P
  query?: Q
  /** JSON body. A body sent to an endpoint without one is ignored. */
  body?: B
  /** Bytes of the largest JSON body; default 1 MiB. Small where callers have no authorization yet. */
  maxBodyBytes?: number
  /** A file in a form, instead of a JSON body. */
  file?: F
  /**
   * JSON of a 200 (fields it doesn't declare are stripped; `z.object({})` where there is nothing to say), a file, or an HTML page
   * (`htmlPage`). Left out where it only answers otherwise.
   */
  returns?: R
  /** JSON of a 202, where the endpoint answers so. */
  accepted?: Acc
  /** Other answers that it gives. */
  also?: readonly ('created' | 'no content' | 'redirect' | 'unavailable')[]
  /** What it refuses requests with, beyond what its access, its input and the table imply (openapi/refusals.ts). */
  refuses?: readonly Refusal[]
  /** Seconds until it is cut off; default 10, the gateway allows 29. */
  timeoutSeconds?: number
  /** Memory in MB; default 512. */
  memoryMb?: number
  /** Space for temporary files in MB; default 512. */
  temporaryMb?: number
  /** Tools that its package carries beside the bundle. */
  tools?: readonly Tool[]
  handle(
    input: { params: Parsed<P>; query: Parsed<Q>; body: Parsed<B>; file: F extends FileInput ? Buffer : undefined } & {
      caller: CallerFor<A>
    } & RequestContext &
      Granted<U>,
  ): Promise<Answered<R> | Unavailable<Answered<R>> | OtherAnswer<Acc extends z.ZodType ? z.input<Acc> : never>>
}

/** An endpoint as the kernel, CDK, the API document and the client see it. */
export interface Endpoint<
  U extends Uses = Uses,
  A extends EndpointAccess = EndpointAccess,
  P extends z.ZodType | undefined = z.ZodType | undefined,
  Q extends z.ZodType | undefined = z.ZodType | undefined,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  R extends Output | undefined = Output | undefined,
  Acc extends z.ZodType | undefined = z.ZodType | undefined,
  F extends FileInput | undefined = FileInput | undefined,
> extends Omit<EndpointDefinition<U, A, P, Q, B, R, Acc, F>, 'handle'> {
  // biome-ignore lint/suspicious/noExplicitAny: handlers of different input stand in one table; `endpoint()` has checked each.
  handle(input: any): Promise<unknown>
}

/**
 * Declares one endpoint: plain data with its handler. The handler takes parsed input, returns a value or throws one of the typed
 * errors of errors.ts, and knows nothing of HTTP or AWS.
 */
export function endpoint<
  const U extends Uses,
  const A extends EndpointAccess,
  R extends Output | undefined = undefined,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  Acc extends z.ZodType | undefined = undefined,
  F extends FileInput | undefined = undefined,
>(definition: EndpointDefinition<U, A, P, Q, B, R, Acc, F>): Endpoint<U, A, P, Q, B, R, Acc, F> {
  return definition
}

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024

/** Bytes of the largest JSON body that an endpoint takes. */
export function maxBodyBytesOf({ maxBodyBytes }: Pick<Endpoint, 'maxBodyBytes'>): number {
  return maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
}

/** What the kernel itself needs to authenticate callers, on top of what the endpoint declares. */
export function allUses(endpoint: Pick<Endpoint, 'access' | 'uses'>): Uses {
  const table = endpoint.uses.table ?? 'read'
  if (endpoint.access === 'anyone') return endpoint.uses
  if (endpoint.access === 'user') return { ...endpoint.uses, table }
  return { ...endpoint.uses, table, apiSecretsKey: 'read' }
}

/** 202: not finished yet. */
export function accepted<T>(body: T): OtherAnswer<T> {
  return new OtherAnswer('accepted', { body })
}

/** 201 with an empty object. */
export function created(): OtherAnswer<never> {
  return new OtherAnswer('created')
}

/** 204 */
export function noContent(): OtherAnswer<never> {
  return new OtherAnswer('no content')
}

/** 302 to another address. Only GET endpoints redirect, so that the method stays. */
export function redirect(location: string): OtherAnswer<never> {
  return new OtherAnswer('redirect', { location })
}
