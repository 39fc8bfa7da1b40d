import type { Readable } from 'node:stream'
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

/** Declares that a 200 is a stream of bytes, of one of these types. Made by `stream()`. */
export interface StreamOutput<Type extends string = string> {
  streamed: readonly Type[]
}

/**
 * Declares that a 200 is a stream of bytes.
 *
 * A handler throws what fails before it returns. A stream that fails later cuts the answer off, because its status is already sent. On AWS an
 * answer has at most 200 MB, is slowed down to 2 MB/s after the first 10 MB, and must end within the function's time-out.
 */
export function stream<const Type extends string>(...mediaTypes: readonly Type[]): StreamOutput<Type> {
  return { streamed: mediaTypes }
}

/** The stream that a handler answers with. The kernel reads it to its end, or destroys it. */
export interface AnsweredStream<Type extends string = string> {
  mediaType: Type
  bytes: Readable
}

/** What a 200 may be: JSON of a schema, a file, a stream, an HTML page. */
export type Output = z.ZodType | FileOutput | StreamOutput | PageOutput

/** What a handler returns for a 200. */
export type Answered<R> = R extends z.ZodType
  ? z.input<R>
  : R extends FileOutput
    ? AnsweredFile
    : R extends StreamOutput<infer Type>
      ? AnsweredStream<Type>
      : R extends PageOutput
        ? AnsweredPage
        : never

/** Whether an endpoint answers with a file. */
export function isFileOutput(returns: Output): returns is FileOutput {
  return 'mediaType' in returns
}

/** Whether an endpoint answers with a stream. */
export function isStreamOutput(returns: Output | undefined): returns is StreamOutput {
  return returns !== undefined && 'streamed' in returns
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
