import {
  Conflict,
  Forbidden,
  Gone,
  Invalid,
  type LibraryError,
  NotFound,
  NotReady,
  OutsideFailed,
  OutsideTimedOut,
  TooLarge,
  TooMany,
  Unauthorized,
  Undecodable,
  Unprocessable,
  VersionMismatch,
} from '../../library/errors.ts'

const statuses: [abstract new (...args: never[]) => LibraryError, number][] = [
  [Invalid, 400],
  [Unauthorized, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [Conflict, 409],
  [Gone, 410],
  [VersionMismatch, 412],
  [TooLarge, 413],
  [Unprocessable, 422],
  [Undecodable, 422],
  [TooMany, 429],
  [OutsideTimedOut, 504],
  [OutsideFailed, 502],
  [NotReady, 503],
]

/** The status of an answer that is one of the library's errors. */
export function statusOf(error: LibraryError): number {
  return statuses.find(([type]) => error instanceof type)?.[1] ?? 500
}

/** Seconds after which the same request may succeed, where that is known. */
export function retryAfterOf(error: LibraryError): number | undefined {
  return error instanceof TooMany || error instanceof NotReady || error instanceof Conflict ? error.retryAfter : undefined
}
