import type { z } from 'zod'
import type { Cookie } from '../protocol/cookies.ts'
import type { AnsweredPage, PageOutput } from './page.ts'

/** Declares that a 200 is a file of this type instead of JSON. */
export interface FileOutput {
  mediaType: string
}

/** The file that a handler answers with. */
export interface AnsweredFile {
  bytes: Uint8Array
  /** Name under which browsers save it: letters, digits, `_`, `-` and `.` only. */
  filename: string
}

/** The body of a 200: JSON of a schema, a file, or an HTML page. */
export type Output = z.ZodType | FileOutput | PageOutput

/** The value that a handler returns for a 200. */
export type Answered<R> = R extends z.ZodType
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

/** Another answer than 200. Made by the functions below. */
class OtherAnswer<Kind, Body> {
  readonly kind: Kind
  /** The body; of a redirect, its target. */
  readonly body: Body
  constructor(kind: Kind, body: Body) {
    this.kind = kind
    this.body = body
  }
}

/** Other answers than 200, by their kind. */
export interface OtherAnswers<Body = unknown> {
  accepted: OtherAnswer<'accepted', Body>
  created: OtherAnswer<'created', undefined>
  'no content': OtherAnswer<'no content', undefined>
  redirect: OtherAnswer<'redirect', string>
  unavailable: OtherAnswer<'unavailable', Body>
}

export type OtherKind = keyof OtherAnswers

export function isOtherAnswer(result: unknown): result is OtherAnswers[OtherKind] {
  return result instanceof OtherAnswer
}

/** 202: not finished yet. */
export function accepted<Body>(body: Body): OtherAnswers<Body>['accepted'] {
  return new OtherAnswer('accepted', body)
}

/** 201 with an empty object. */
export function created(): OtherAnswers['created'] {
  return new OtherAnswer('created', undefined)
}

/** 204 */
export function noContent(): OtherAnswers['no content'] {
  return new OtherAnswer('no content', undefined)
}

/** 302 to another address. Only for GET: clients change other methods to GET when they follow it. */
export function redirect(location: string): OtherAnswers['redirect'] {
  return new OtherAnswer('redirect', location)
}

/** 503 with the body of a 200: the service is out of order. */
export function unavailable<Body>(body: Body): OtherAnswers<Body>['unavailable'] {
  return new OtherAnswer('unavailable', body)
}

/** JSON that is text already. Made by `jsonText()`. */
export class JsonText {
  readonly text: string | readonly Buffer[]
  constructor(text: string | readonly Buffer[]) {
    this.text = text
  }
}

/**
 * A 200 whose JSON a handler has as text, instead of the value that its endpoint declares. It is sent as it is: the schema strips no
 * undeclared fields, and the brand renames none. A test must check the text against the schema.
 * @param text JSON, or pieces of it in UTF-8: a large text needs no copy in one piece
 */
export function jsonText(text: string | readonly Buffer[]): JsonText {
  return new JsonText(text)
}

/** Numbers and texts that change whenever the answer does: its version is their hash. */
export type EtagParts = readonly (string | number)[]

/** A 200 that is made only for clients who don't have it. Made by `withEtag()`. */
export class WithEtag<Answer = unknown> {
  readonly parts: EtagParts
  readonly make: () => Promise<Answer>
  constructor(parts: EtagParts, make: () => Promise<Answer>) {
    this.parts = parts
    this.make = make
  }
}

/**
 * A 200 with an `ETag` that is known before the answer is made: a request whose `If-None-Match` names it gets 304, and `make` isn't called.
 * @param parts versions of all data that the answer is made of. The request (address, query, caller) and the version of the service are parts
 *   of every tag already.
 * @param make answers the value, or its text by `jsonText()`. It must read the data after `parts` were read: older data under the tag of newer data would stay in caches.
 */
export function withEtag<Answer>(parts: EtagParts, make: () => Promise<Answer>): WithEtag<Answer> {
  return new WithEtag(parts, make)
}

/** A list that no cache stores, although other answers of its endpoint are stored. Made by `noStore()`. */
export class NoStore<Answer = unknown> {
  readonly answer: Answer
  constructor(answer: Answer) {
    this.answer = answer
  }
}

/** A 200 of a list whose content depends on who asks: it has no tag, and is `no-store`. */
export function noStore<Answer>(answer: Answer): NoStore<Answer> {
  return new NoStore(answer)
}

/** A 200 whose `ETag` is the version of the file that it shows. Made by `withVersion()`. */
export class WithVersion<Answer = unknown> {
  readonly version: number
  readonly answer: Answer
  constructor(version: number, answer: Answer) {
    this.version = version
    this.answer = answer
  }
}

/** A 200 whose `ETag` is the version of a file. Clients send it back as `If-Match`. */
export function withVersion<Answer>(version: number, answer: Answer): WithVersion<Answer> {
  return new WithVersion(version, answer)
}

/** An answer that gives the browser cookies. Made by `withCookies()`. */
export class WithCookies<Answer = unknown> {
  readonly answer: Answer
  readonly cookies: readonly Cookie[]
  constructor(answer: Answer, cookies: readonly Cookie[]) {
    this.answer = answer
    this.cookies = cookies
  }
}

/** An answer that gives the browser cookies, or takes them away. */
export function withCookies<Answer>(answer: Answer, ...cookies: Cookie[]): WithCookies<Answer> {
  return new WithCookies(answer, cookies)
}
