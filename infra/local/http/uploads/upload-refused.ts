/** S3's error codes with their HTTP statuses (S3 API reference, "Error responses"). */
const UPLOAD_REFUSALS = {
  AccessDenied: 403,
  BadDigest: 400,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidPolicyDocument: 400,
  KeyTooLongError: 400,
  MalformedPOSTRequest: 400,
  MaxPostPreDataLengthExceeded: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchUpload: 404,
  OperationAborted: 409,
  PreconditionFailed: 412,
  RequestTimeout: 400,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  /** Of this service: S3 is never full. */
  disk_full: 503,
} as const

type UploadRefusal = keyof typeof UPLOAD_REFUSALS

/** The upload breaks its policy or its URL, or is no upload. */
export class UploadRefused extends Error {
  override name = 'UploadRefused'
  readonly code: UploadRefusal

  constructor(code: UploadRefusal, message: string) {
    super(message)
    this.code = code
  }

  /** HTTP status that goes with the code. */
  get status(): number {
    return UPLOAD_REFUSALS[this.code]
  }

  /** The body of the answer, as S3 writes it. */
  toXml(): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${this.code}</Code><Message>${escapeXml(this.message)}</Message></Error>`
  }
}

/** The refusal of a form without a field, or with the field after the file. */
export function fieldMissing(name: string): UploadRefused {
  return new UploadRefused('InvalidArgument', `The form must contain a field named '${name}'. If it does, check the order of the fields.`)
}

function escapeXml(text: string): string {
  return text.replace(/[^\t\n\r\x20-\x7e]|[<>&]/gu, (character) => {
    const code = character.codePointAt(0)!
    // XML has no way to write the other control characters.
    return code < 0x20 ? '?' : `&#${code};`
  })
}
