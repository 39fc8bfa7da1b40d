/**
 * The errors of the library. The kernel turns each into a status; nothing else does.
 * Messages are shown to users: they say what to do and name no inside.
 */
export abstract class LibraryError extends Error {
  /** Stable, machine-readable: `folder_not_found`. */
  readonly code: string
  /** Further properties of the answer, for programs. */
  readonly details: Readonly<Record<string, unknown>> = {}
  constructor(code: string, message: string) {
    super(message)
    this.code = code
    this.name = new.target.name
  }
}

/** One problem of an input. */
export interface Problem {
  /** Names the parameter, or the place in the body: `fields[2].name`; empty for the whole. */
  path: string
  /** The message about what `path` names: `must be a string`; a whole sentence where it names nothing. */
  message: string
}

/** Most problems that are named, and most characters of a path and of a message: answers don't grow with what was sent. */
export const MAX_PROBLEMS = 100
const MAX_LENGTH = 200

/** Malformed or invalid input. Its message is the one problem, or says that there are several. */
export class Invalid extends LibraryError {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[] | Problem, code = 'invalid_input') {
    const all = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem]
    const named = all.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({ path: cut(path), message: cut(message) }))
    const [first] = named
    super(code, first && named.length === 1 ? cut(sentence(first)) : 'Several things are wrong with the input: errors lists them.')
    this.problems = named
  }
}

function sentence({ path, message }: Problem): string {
  return path ? `${path} ${message}.` : message
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`
}

/** Missing or invalid authorization. */
export class Unauthorized extends LibraryError {
  constructor(message = 'Missing or invalid authorization.', code = 'unauthorized') {
    super(code, message)
  }
}

/** The caller can see it but may not do this. */
export class Forbidden extends LibraryError {
  constructor(message = 'You may not do this.', code = 'forbidden') {
    super(code, message)
  }
}

/** There is no such thing, or the caller may not know of it. */
export class NotFound extends LibraryError {
  constructor(what: string, message = `There is no such ${what}.`, code = `${what.replaceAll(' ', '_')}_not_found`) {
    super(code, message)
  }
}

/** Seconds after which there may be room. */
const QUOTA_SECONDS = 60

/** Others changed the same thing at the same time, or it is not there yet; trying again helps, after `retryAfter` seconds where that is known. */
export class Conflict extends LibraryError {
  readonly retryAfter: number | undefined
  constructor(message = 'Others changed this at the same time. Try again.', code = 'conflict', retryAfter?: number) {
    super(code, message)
    this.retryAfter = retryAfter
  }
}

/** The file has another version than the request was made for. Nothing was written. */
export class VersionMismatch extends LibraryError {
  /** The file's version now. */
  override readonly details: { version: number }
  constructor(mediaId: number, version: number) {
    super('version_mismatch', `File ${mediaId} has version ${version} by now. Read it again, and repeat the change.`)
    this.details = { version }
  }
}

/** Parts of an upload that have not arrived yet, by their numbers. */
export class PartsMissing extends Conflict {
  override readonly details: { parts: readonly number[] }
  constructor(parts: readonly number[]) {
    super('Not all parts have arrived: parts lists those that are missing.', 'parts_missing')
    this.details = { parts }
  }
}

/** The company's quota has no room for a file. */
export class QuotaExceeded extends Conflict {
  override readonly details: { quota_bytes: number; held_until?: string }
  /** @param heldUntil ISO 8601, where the file waits for room until then */
  constructor(quotaBytes: number, heldUntil?: string) {
    const kept = `The file is kept until ${heldUntil}, and becomes one of the library by itself as soon as there is room.`
    const advice = heldUntil === undefined ? 'Delete files, empty trashcans, or ask the operator for more.' : kept
    super(`The quota of ${quotaBytes} bytes has no room for this file. ${advice}`, 'quota_exceeded', QUOTA_SECONDS)
    this.details = { quota_bytes: quotaBytes, ...(heldUntil !== undefined && { held_until: heldUntil }) }
  }
}

/** It was there, and its time is over. */
export class Gone extends LibraryError {}

/** More bytes than are taken. */
export class TooLarge extends LibraryError {
  constructor(message: string) {
    super('too_large', message)
  }
}

/** The request is understood, and can't be carried out as it is. */
export class Unprocessable extends LibraryError {}

/** The file can't be decoded, or is larger than is decoded. */
export class Undecodable extends LibraryError {
  constructor(cause?: Error) {
    super('undecodable', 'This picture cannot be decoded: it is damaged, too large, or in a format that is not known.')
    this.cause = cause
  }
}

/** Too many requests of a kind; the same one may succeed after `retryAfter` seconds. */
export abstract class TooMany extends LibraryError {
  readonly retryAfter: number
  constructor(code: string, message: string, retryAfter: number) {
    super(code, message)
    this.retryAfter = retryAfter
  }
}

/** The request can't be done yet, or not here; where it can later, the same request may succeed after `retryAfter` seconds. */
export class NotReady extends LibraryError {
  readonly retryAfter: number | undefined
  constructor(code: string, message: string, retryAfter?: number) {
    super(code, message)
    this.retryAfter = retryAfter
  }
}

/** A service outside that this needs fails. The message says which, and what to do. */
export class OutsideFailed extends LibraryError {
  constructor(message: string, code: string) {
    super(code, message)
  }
}

/** A service outside that this needs does not answer in time. */
export class OutsideTimedOut extends OutsideFailed {}

/** The disk of the library has no room left. */
export class DiskFull extends NotReady {
  constructor() {
    super('disk_full', 'The disk of the library is full. Try again later, or tell its operator.', 60)
  }
}

/** Too many failed attempts; `retryAfter` in seconds. */
export class TooManyAttempts extends TooMany {
  constructor(retryAfter: number) {
    super('too_many_attempts', 'Too many failed attempts. Try again later.', retryAfter)
  }
}

/** Others have asked for more of this than is done at a time; `retryAfter` in seconds. */
export class Busy extends TooMany {
  constructor(retryAfter: number) {
    super('busy', 'Too many others do this at the moment. Try again in a few seconds.', retryAfter)
  }
}
