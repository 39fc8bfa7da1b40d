import type * as z from 'zod'
import type { Clock } from '../../backends/clock/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import type { Access } from '../../library/access/access.ts'
import type { ApplicationCaller, Caller, UserCaller } from '../../library/access/caller.ts'
import type { Session } from '../../library/accounts/sessions.ts'
import type { Actor, UserActor } from '../../library/actor.ts'
import type { Visit, Visitor } from '../../library/shares/visit.ts'
import type { Log } from '../../log/log.ts'
import type { Granted, Uses } from '../../resources.ts'
import type { Settings } from '../../settings.ts'
import type { AuthorizationScheme } from '../protocol/authorization.ts'
import type { Credentials } from '../protocol/credentials.ts'
import type { Kernel, Middleware } from '../protocol/exchange.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Answered, JsonText, NoStore, OtherAnswers, OtherKind, Output, WithCookies, WithEtag, WithVersion } from './results.ts'
import { type DeclaredRoute, declaredRoute, type KnownSettings, type ParamName, type Route, splitRoute } from './route.ts'

/**
 * Who may call:
 * - `anyone`: no authorization; a given one is ignored
 * - `session`: a session's cookie
 * - `user`: a user's token, or a session's cookie
 * - `user or application`: the same, or the HMAC scheme with a key that was granted `downloads`
 * - `share link`: whoever has the secret of a share link, which is in the path as `{secret}`, and its password where it has one
 * - `password reset application`: the HMAC scheme with a key that was granted `password_reset`
 */
export type EndpointAccess = 'anyone' | 'session' | 'user' | 'user or application' | 'share link' | 'password reset application'

type CallerFor<A extends EndpointAccess> = A extends 'session'
  ? UserCaller & { session: Session }
  : A extends 'share link'
    ? Visitor
    : A extends 'user'
      ? UserCaller
      : A extends 'password reset application'
        ? ApplicationCaller
        : Caller

/** The caller, as every handler receives it. Endpoints for anyone have none. */
type CallerContext<A extends EndpointAccess> = A extends 'anyone'
  ? unknown
  : {
      /** Answers whether the caller may do something; `access.caller` is the caller. */
      access: Access<CallerFor<A>>
      /** The caller as the author of changes. */
      by: A extends 'user' | 'session' | 'share link' ? UserActor : Actor
    } & (A extends 'share link' ? Visit : unknown)

/** The context that every handler receives besides its input, the caller and its resources. */
export interface RequestContext {
  clock: Clock
  settings: Settings
  /** Address of the API in this request, without trailing slash. */
  baseUrl: string
  /** The caller's network address, as the delivery network reports it. */
  sourceAddress: string
  /** The credentials that the request carries, unchecked: for endpoints that begin or end what authorizes others. */
  credentials(): Credentials
  requestId: string
  log: Log
}

/**
 * A file instead of JSON: raw (`raw()`), or in a form (`multipartFile()`, in a module of its own, so that no other function carries the parser
 * of forms).
 */
export interface BytesBody<Read = unknown> {
  /** Name of the form's field with the file; undefined for a raw body. */
  field?: string
  /** Bytes of the largest file. */
  maxBytes: number
  /** Media types of the files. */
  mediaTypes: readonly string[]
  /** The schema that the API document shows instead of bytes. */
  schema?: JsonSchema
  /** Takes the file out of a request's body. @throws Invalid, TooLarge */
  read(contentType: string | undefined, body: Buffer): Promise<Read>
}

/** Whether a body is a file instead of JSON. */
export function isBytesBody(body: z.ZodType | BytesBody | undefined): body is BytesBody {
  return body !== undefined && 'mediaTypes' in body
}

/** Refusals of requests, for the API document. In code they are the typed errors of library/errors.ts. */
export type Refusal =
  | 'unauthorized'
  | 'forbidden'
  | 'not found'
  | 'conflict'
  | 'too many'
  | 'not ready'
  | 'gone'
  | 'other version'
  | 'mismatch'
  | 'too large'

/** An endpoint that says nothing else has so many seconds for a request. */
export const DEFAULT_TIMEOUT_SECONDS = 10

/** The declaration of an endpoint. The kernel, CDK, the API document and the client read it. */
export interface Declaration {
  /** May name the setting `<vendor>`. */
  route: Route
  /** One line for the API document. */
  summary: string
  /** Rights, effects and special cases that a caller must know. Sentences for the API document, in Markdown. */
  description: string
  access: EndpointAccess
  /** Lets in whoever has a share link, where `access` says so: `byShareLink` declares both, so no other function carries what opens links. */
  letsIn?(kernel: Kernel, resources: { table: TableReader }): Middleware
  uses: Uses
  /** A schema for each path parameter of the route. */
  params?: Readonly<Record<string, z.ZodType>>
  query?: z.ZodType
  /** JSON, or a file. An endpoint that declares no body ignores the body of a request. */
  body?: z.ZodType | BytesBody
  /** Bytes of the largest JSON body; default 64 KiB, because others wait while it is parsed. At most `LARGE_BODY_BYTES`. */
  maxBodyBytes?: number
  /**
   * Body of a 200: JSON (undeclared fields are stripped), a file, or an HTML page (`htmlPage`). An endpoint that never answers 200 leaves it
   * out.
   */
  returns?: Output
  /** Its 200 carries the version of an own file as `ETag` (`withVersion()`). */
  versioned?: true
  /** Its 200 is a list whose content depends on who asks, so no cache stores it. `at times`: its handler says when (`noStore()`). */
  noStore?: 'always' | 'at times'
  /** It takes `If-Match`, whose versions its handler receives as `expectedVersions`. */
  conditional?: true
  /** It takes `Idempotency-Key`: the same request, sent again, has no further effect and gets the same answer. It writes the table. */
  idempotent?: true
  /** Fields of its answer that are shown once: the answer to a repeated request lacks them. */
  shownOnce?: readonly string[]
  /** JSON of a 202. It and that of the 200 name in `status` which of the two they are. */
  accepted?: z.ZodType
  /** Kinds of its other answers. */
  also?: readonly Exclude<OtherKind, 'accepted'>[]
  /**
   * How to ask for less where an answer may be larger than a function can send: a sentence that names its filters, or those of another
   * endpoint. It becomes part of the refusal.
   */
  askForLess?: string
  /** Path of the page that tells people in browsers why they are refused (`refused`, the code). Programs get JSON. Its 302 is declared in `also`. */
  refusedOn?: `/${string}`
  /** Its refusals, besides those that follow from access, input and `uses` (openapi/refusals.ts). */
  refuses?: readonly Refusal[]
  /** Name of the function that answers it together with others on AWS, where a stack takes few functions. They use the same. By default it has one of its own. */
  answeredBy?: string
  /** Time-out in seconds; default `DEFAULT_TIMEOUT_SECONDS`, at most the 29 of API Gateway. */
  timeoutSeconds?: number
  /** Deletes more than it writes, so it is done on a full disk, too. */
  freesSpace?: true
  /** Memory in MB; default 512. */
  memoryMb?: number
  /** Space for temporary files in MB; default 512. */
  temporaryMb?: number
}

/** An endpoint in the table. `endpoint()` has checked its handler against `D`. */
export type Endpoint<D extends Declaration = Declaration> = Omit<D, 'route' | 'handle'> & {
  route: DeclaredRoute
  // biome-ignore lint/suspicious/noExplicitAny: handlers of different input stand in one table.
  handle(input: any): Promise<unknown>
}

/** The input of an endpoint's handler. */
export type HandlerInput<D extends Declaration> = ParsedInput<D> & CallerContext<D['access']> & RequestContext & Granted<D['uses']>

/** The result of an endpoint's handler: declared answers only. */
export type HandlerResult<D extends Declaration> =
  | (D extends { returns: infer R } ? Answered<R> | (D extends { versioned: true } ? WithVersion<Answered<R>> : never) : never)
  | (D extends { returns: infer R } ? WithCookies<Answered<R>> | (D extends { noStore: 'at times' } ? NoStore<Answered<R>> : never) : never)
  | (D extends { returns: infer S extends z.ZodType } ? JsonText | WithEtag<z.input<S> | JsonText> : never)
  | (D extends { accepted: infer S extends z.ZodType } ? OtherAnswers<z.input<S>>['accepted'] : never)
  | (D extends { also: readonly (infer Kind extends OtherKind)[] }
      ? OtherAnswers<Answered<D['returns']>>[Kind] | WithCookies<OtherAnswers<Answered<D['returns']>>[Kind]>
      : never)

type ParsedInput<D extends Declaration> = (D extends { params: infer P }
  ? { params: { readonly [Name in keyof P]: P[Name] extends z.ZodType ? z.output<P[Name]> : never } }
  : unknown) &
  (D extends { conditional: true } ? { expectedVersions: readonly number[] | undefined } : unknown) &
  (D extends { query: infer S extends z.ZodType } ? { query: z.output<S> } : unknown) &
  (D extends { body: infer S } ? { body: S extends z.ZodType ? z.output<S> : S extends BytesBody<infer Read> ? Read : never } : unknown)

/** Requires a schema for every parameter of the route, and refuses any other. */
type MatchingParams<D extends Declaration> = [ParamName<D['route']>] extends [never] ? { params?: ParamsOf<D> } : { params: ParamsOf<D> }

type ParamsOf<D extends Declaration> = {
  [Name in ParamName<D['route']> | keyof D['params']]: Name extends ParamName<D['route']> ? z.ZodType : never
}

/**
 * Declares one endpoint: plain data with its handler. The handler takes parsed input, returns a value or throws one of the typed
 * errors of library/errors.ts, and knows nothing of HTTP or AWS.
 */
export function endpoint<const D extends Declaration>(
  // Inferred through a mapped type: so the compiler knows `D` before it types the handler, whose parameter depends on `D`.
  definition: { [Name in keyof D]: D[Name] } & { [Unknown in Exclude<keyof D, keyof Endpoint>]: never } & MatchingParams<D> & {
      route: KnownSettings<D['route']>
      handle(input: HandlerInput<D>): Promise<HandlerResult<D>>
    },
): Endpoint<D> {
  return { ...definition, route: declaredRoute(definition.route) }
}

/** Whether applications may call such endpoints in their own name. */
export const takesApplications = (access: EndpointAccess): boolean =>
  access === 'user or application' || access === 'password reset application'

/** The schemes of authorization that such endpoints take, the usual one first. */
export function schemesOf(access: EndpointAccess): readonly AuthorizationScheme[] {
  if (access === 'password reset application') return ['HMAC']
  return access === 'user or application' ? ['SIMPLE-TOKEN', 'HMAC'] : ['SIMPLE-TOKEN']
}

/** Of JSON that holds many ids, or the texts of a file. */
export const LARGE_BODY_BYTES = 1024 * 1024
const DEFAULT_MAX_BODY_BYTES = 64 * 1024

/** Bytes of the largest body that an endpoint takes. Infinity where bodies are ignored, and for forms: their parser limits the file. */
export function maxBodyBytesOf({ body, maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: Pick<Endpoint, 'body' | 'maxBodyBytes'>): number {
  if (!body || (isBytesBody(body) && body.field !== undefined)) return Number.POSITIVE_INFINITY
  return isBytesBody(body) ? body.maxBytes : maxBodyBytes
}

/** The resources of an endpoint, with those that the kernel needs to authenticate its callers. */
export function allUses(endpoint: Pick<Endpoint, 'access' | 'uses'>): Uses {
  const { access, uses } = endpoint
  if (access === 'anyone') return uses
  const table = uses.table ?? 'read'
  if (access === 'share link') return { ...uses, table }
  // A function that may write all records may note the use of a session, too.
  const sessions = table === 'read' ? ({ sessions: 'use' } as const) : {}
  return { ...uses, table, ...sessions, ...(takesApplications(access) ? { apiSecretsKey: 'read' } : {}) }
}

/**
 * Whether clients may keep the answers of an endpoint and ask whether they have changed: those of a GET that lists something. Nobody keeps a
 * list with secrets, of what is wrong at the moment, or that depends on who asks. In one with signed URLs, which run out, each answer differs.
 */
export function isRevalidated({ route, returns, uses, noStore }: Pick<Endpoint, 'route' | 'returns' | 'uses' | 'noStore'>): boolean {
  const isKept = !uses.apiSecretsKey && !uses.health && !uses.urls && noStore !== 'always'
  return isKept && returns !== undefined && isList(returns) && splitRoute(route({ vendor: '' })).method === 'GET'
}

/** A list, or an object that holds one of objects. */
function isList(returns: Output): boolean {
  if (!('type' in returns)) return false
  if (isObject(returns)) return Object.values(returns.shape).some((field) => isArray(field) && isObject(field.element))
  return isArray(returns)
}

// By name instead of `instanceof`: a function that answers no JSON carries no zod.
const isArray = (schema: z.core.SomeType): schema is z.ZodArray => schema._zod.def.type === 'array'
const isObject = (schema: z.core.SomeType): schema is z.ZodObject => schema._zod.def.type === 'object'
