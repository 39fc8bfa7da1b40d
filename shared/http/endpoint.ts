import type { z } from 'zod'
import type { Clock } from '../backends/clock/port.ts'
import type { Access } from '../library/access/access.ts'
import type { ApplicationCaller, Caller, UserCaller } from '../library/access/caller.ts'
import type { Actor } from '../library/actor.ts'
import type { Log } from '../log/log.ts'
import type { Granted, Uses } from '../resources.ts'
import type { Settings } from '../settings.ts'
import type { Answered, OtherAnswers, OtherKind, Output } from './results.ts'
import { type DeclaredRoute, declaredRoute, type KnownSettings, type ParamName, type Route } from './route.ts'

/**
 * Who may call:
 * - `anyone`: no authorization, one that comes along is ignored
 * - `user`: a user's token
 * - `user or application`: a user's token, or the HMAC scheme with a key that was granted `downloads`
 * - `password reset application`: the HMAC scheme with a key that was granted `password_reset`
 */
export type EndpointAccess = 'anyone' | 'user' | 'user or application' | 'password reset application'

type CallerFor<A extends EndpointAccess> = A extends 'user'
  ? UserCaller
  : A extends 'password reset application'
    ? ApplicationCaller
    : Caller

/** What every handler receives of who calls; of anyone nothing is known. */
type CallerContext<A extends EndpointAccess> = A extends 'anyone'
  ? unknown
  : {
      caller: CallerFor<A>
      /** What the caller may do, and who it is. */
      access: Access<CallerFor<A>>
      /** Who makes the changes of this request. */
      by: Actor
    }

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

/**
 * A file instead of JSON: as it is (made by `raw()`), or in a form (made by `multipartFile()`, which only functions that take forms carry a
 * parser for).
 */
export interface BytesBody {
  /** Name of the form's field that holds the file; undefined where the body is the file. */
  field?: string
  /** Bytes of the largest file that is taken. */
  maxBytes: number
  /** Media types of the files that are taken. */
  mediaTypes: readonly string[]
  /** Takes the file out of a request's body. @throws Invalid, TooLarge */
  read(contentType: string | undefined, body: Buffer): Promise<Buffer>
}

/** Whether a body is a file instead of JSON. */
export function isBytesBody(body: z.ZodType | BytesBody | undefined): body is BytesBody {
  return body !== undefined && 'mediaTypes' in body
}

/** How an endpoint refuses requests: the typed errors of errors.ts, in the words of the API document. */
export type Refusal = 'unauthorized' | 'forbidden' | 'not found' | 'conflict' | 'too many' | 'not ready'

/** What an endpoint declares of itself, as the kernel, CDK, the API document and the client see it. */
export interface Declaration {
  /** May name the setting `<vendor>`. */
  route: Route
  /** One line for the API document. */
  summary: string
  /** What a caller has to know beyond that: rights, effects, special cases. Sentences for the API document, in Markdown. */
  description: string
  access: EndpointAccess
  uses: Uses
  /** A schema for each path parameter of the route. */
  params?: Readonly<Record<string, z.ZodType>>
  query?: z.ZodType
  /** JSON, or a file. A body sent to an endpoint without one is ignored. */
  body?: z.ZodType | BytesBody
  /** Bytes of the largest JSON body; default 1 MiB. Small where callers have no authorization yet. */
  maxBodyBytes?: number
  /**
   * JSON of a 200 (fields it doesn't declare are stripped; `z.object({})` where there is nothing to say), a file, bytes that come as they
   * are made (`stream()`), or an HTML page (`htmlPage`). Left out where it only answers otherwise.
   */
  returns?: Output
  /** JSON of a 202, where the endpoint answers so. */
  accepted?: z.ZodType
  /** Other answers that it gives. */
  also?: readonly Exclude<OtherKind, 'accepted'>[]
  /** What it refuses requests with, beyond what its access, its input and the table imply (openapi/refusals.ts). */
  refuses?: readonly Refusal[]
  /** Seconds until it is cut off; default 10, the gateway allows 29. */
  timeoutSeconds?: number
  /** Memory in MB; default 512. */
  memoryMb?: number
  /** Space for temporary files in MB; default 512. */
  temporaryMb?: number
}

/** An endpoint as it stands in the table: `endpoint()` has checked that its handler takes and returns what `D` declares. */
export type Endpoint<D extends Declaration = Declaration> = Omit<D, 'route' | 'handle'> & {
  route: DeclaredRoute
  // biome-ignore lint/suspicious/noExplicitAny: handlers of different input stand in one table.
  handle(input: any): Promise<unknown>
}

/** What the handler of an endpoint receives. */
export type HandlerInput<D extends Declaration> = ParsedInput<D> & CallerContext<D['access']> & RequestContext & Granted<D['uses']>

/** What its handler returns: nothing that the endpoint doesn't declare. */
export type HandlerResult<D extends Declaration> =
  | (D extends { returns: infer R } ? Answered<R> : never)
  | (D extends { accepted: infer S extends z.ZodType } ? OtherAnswers<z.input<S>>['accepted'] : never)
  | (D extends { also: readonly (infer Kind extends OtherKind)[] } ? OtherAnswers<Answered<D['returns']>>[Kind] : never)

type ParsedInput<D extends Declaration> = (D extends { params: infer P }
  ? { params: { readonly [Name in keyof P]: P[Name] extends z.ZodType ? z.output<P[Name]> : never } }
  : unknown) &
  (D extends { query: infer S extends z.ZodType } ? { query: z.output<S> } : unknown) &
  (D extends { body: infer S } ? { body: S extends z.ZodType ? z.output<S> : Buffer } : unknown)

/** A declaration has a schema for every parameter of its route, and no others. */
type MatchingParams<D extends Declaration> = [ParamName<D['route']>] extends [never] ? { params?: ParamsOf<D> } : { params: ParamsOf<D> }

type ParamsOf<D extends Declaration> = {
  [Name in ParamName<D['route']> | keyof D['params']]: Name extends ParamName<D['route']> ? z.ZodType : never
}

/**
 * Declares one endpoint: plain data with its handler. The handler takes parsed input, returns a value or throws one of the typed
 * errors of errors.ts, and knows nothing of HTTP or AWS.
 */
export function endpoint<const D extends Declaration>(
  // A mapped type, because from that the compiler infers `D` before it looks at the handler, whose type follows from it.
  definition: { [Name in keyof D]: D[Name] } & { [Unknown in Exclude<keyof D, keyof Endpoint>]: never } & MatchingParams<D> & {
      route: KnownSettings<D['route']>
      handle(input: HandlerInput<D>): Promise<HandlerResult<D>>
    },
): Endpoint<D> {
  return { ...definition, route: declaredRoute(definition.route) }
}

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024

/** Bytes of the largest body that an endpoint takes; Infinity where it ignores bodies, and of forms, whose parser limits the file in them. */
export function maxBodyBytesOf({ body, maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: Pick<Endpoint, 'body' | 'maxBodyBytes'>): number {
  if (!body || (isBytesBody(body) && body.field !== undefined)) return Number.POSITIVE_INFINITY
  return isBytesBody(body) ? body.maxBytes : maxBodyBytes
}

/** What the kernel itself needs to authenticate callers, on top of what the endpoint declares. */
export function allUses(endpoint: Pick<Endpoint, 'access' | 'uses'>): Uses {
  const table = endpoint.uses.table ?? 'read'
  if (endpoint.access === 'anyone') return endpoint.uses
  if (endpoint.access === 'user') return { ...endpoint.uses, table }
  return { ...endpoint.uses, table, apiSecretsKey: 'read' }
}
