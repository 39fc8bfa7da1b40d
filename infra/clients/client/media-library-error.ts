/** A problem with one part of the input. */
export interface InputProblem {
  path: string
  message: string
}

/** The service or its storage refused a request (`status` is the HTTP status), or could not be reached (`status` is 0, `code` is `network`). */
export class MediaLibraryError extends Error {
  override readonly name = 'MediaLibraryError'
  readonly status: number
  /** Tells errors of one status apart, such as `selection_changed`; empty where the answer has none. */
  readonly code: string
  /** The request's id in the service's log; undefined where no answer came. */
  readonly requestId: string | undefined
  /** All problems of the input, for a 400. */
  readonly errors: readonly InputProblem[]
  /** The whole answer. Some errors tell more, such as `parts` or `version`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, details: Record<string, unknown>, options?: ErrorOptions) {
    const { message, code, request_id: requestId, errors } = details
    super(typeof message === 'string' ? message : `The service answered ${status}.`, options)
    this.status = status
    this.code = typeof code === 'string' ? code : ''
    this.requestId = typeof requestId === 'string' ? requestId : undefined
    this.errors = Array.isArray(errors) ? errors : []
    this.details = details
  }
}

/** The error of an answer, which is JSON from the service, and XML from storage on AWS. */
export function errorOf(status: number, text: string): MediaLibraryError {
  const xml = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]
  try {
    const parsed: unknown = JSON.parse(text)
    return new MediaLibraryError(status, typeof parsed === 'object' && parsed !== null ? { ...parsed } : {})
  } catch {
    return new MediaLibraryError(status, { code: xml('Code'), message: xml('Message'), request_id: xml('RequestId') })
  }
}

/** The error of a request that had no answer. @param error of `fetch` */
export function failureOf(error: unknown): MediaLibraryError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = `The service can't be reached: ${cause instanceof Error ? cause.message : cause}`
  return new MediaLibraryError(0, { code: 'network', message }, { cause: error })
}
