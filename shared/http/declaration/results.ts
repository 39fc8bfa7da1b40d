import type { z } from 'zod'
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
