/**
 * Errors of the domain. Only the HTTP kernel maps them to statuses. Users see the messages: they say what to do, and reveal no internals.
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
  /** The parameter, or the place in the body: `fields[2].name`. Empty for the whole input. */
  path: string
  /** Continues `path`: `must be a string`. A whole sentence if `path` is empty. */
  message: string
}

/** Most problems of an error, and most characters of a path or message: responses don't grow with the input. */
export const MAX_PROBLEMS = 100
const MAX_LENGTH = 200

/** Malformed or invalid input. The message is the only problem, or says that there are several. */
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

/** The thing does not exist, or the caller may not know of it. */
export class NotFound extends LibraryError {
  constructor(what: string, message = `There is no such ${what}.`, code = `${what.replaceAll(' ', '_')}_not_found`) {
    super(code, message)
  }
}

/** `Retry-After` in seconds. */
const QUOTA_SECONDS = 60

/** A concurrent change, or a state in which this is not possible yet. A retry may succeed, after `retryAfter` seconds if given. */
export class Conflict extends LibraryError {
  readonly retryAfter: number | undefined
  constructor(message = 'Others changed this at the same time. Try again.', code = 'conflict', retryAfter?: number) {
    super(code, message)
    this.retryAfter = retryAfter
  }
}

/** The file's version differs from the one in the request. Nothing was written. */
export class VersionMismatch extends LibraryError {
  /** The file's version now. */
  override readonly details: { version: number }
  constructor(mediaId: number, version: number) {
    super('version_mismatch', `File ${mediaId} has version ${version} by now. Read it again, and repeat the change.`)
    this.details = { version }
  }
}

/** Later steps changed some of what a revert would put back. */
export class ChangedSince extends Conflict {
  override readonly details: { changed: readonly string[] }
  /** @param changed names of fields */
  constructor(changed: readonly string[]) {
    super('Somebody changed this since: changed lists what. Use force to put it back all the same.', 'changed_since')
    this.details = { changed }
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

/** The thing existed, and has expired. */
export class Gone extends LibraryError {}

/** More bytes than the limit. */
export class TooLarge extends LibraryError {
  constructor(message: string) {
    super('too_large', message)
  }
}

/** A valid request that can't be carried out. */
export class Unprocessable extends LibraryError {}

/** The picture can't be decoded, or exceeds the decoder's limits. */
export class Undecodable extends LibraryError {
  constructor(cause?: Error) {
    super('undecodable', 'This picture cannot be decoded: it is damaged, too large, or in a format that is not known.')
    this.cause = cause
  }
}

/** Too many requests of a kind. A retry may succeed after `retryAfter` seconds. */
export abstract class TooMany extends LibraryError {
  readonly retryAfter: number
  constructor(code: string, message: string, retryAfter: number) {
    super(code, message)
    this.retryAfter = retryAfter
  }
}

/** Not possible yet, or not in this deployment. A retry may succeed after `retryAfter` seconds, if given. */
export class NotReady extends LibraryError {
  readonly retryAfter: number | undefined
  constructor(code: string, message: string, retryAfter?: number) {
    super(code, message)
    this.retryAfter = retryAfter
  }
}

/** An external service failed. The message says which, and what to do. */
export class OutsideFailed extends LibraryError {
  constructor(message: string, code: string) {
    super(code, message)
  }
}

/** An external service did not answer in time. */
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

/** Too much concurrent work of a kind; `retryAfter` in seconds. */
export class Busy extends TooMany {
  constructor(retryAfter: number) {
    super('busy', 'Too many others do this at the moment. Try again in a few seconds.', retryAfter)
  }
}
