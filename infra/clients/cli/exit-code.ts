import { MediaLibraryError } from '../client/client.ts'

/** Exit codes of the command line. */
export const exitCodes = {
  done: 0,
  error: 1,
  usage: 2,
  folderNotFound: 3,
  fileNotFound: 4,
  someFailed: 5,
  forbidden: 7,
  limit: 8,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A failure with an exit code of its own. */
export class Failure extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The exit code of a failure. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Failure) return error.exitCode
  if (error instanceof MediaLibraryError) return ofAnswer(error)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return exitCodes.fileNotFound
  return code === 'ENOSPC' || code === 'EDQUOT' ? exitCodes.limit : exitCodes.error
}

function ofAnswer({ status, code }: MediaLibraryError): ExitCode {
  if (status === 401 || status === 403) return exitCodes.forbidden
  if (status === 404) return exitCodes.fileNotFound
  // Wrong arguments: an unknown type of event, a malformed cursor.
  if (code === 'invalid_input') return exitCodes.usage
  if ([413, 429, 507].includes(status) || /quota|limit|too_many|disk_full/.test(code)) return exitCodes.limit
  return exitCodes.error
}

/** Whether a failure applies to all further files: signed out, or no room. */
export const endsRun = (error: unknown): boolean =>
  (error instanceof MediaLibraryError && (error.status === 401 || error.status === 507 || /quota|disk_full/.test(error.code))) ||
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** The reason of a failure, in a line for people. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof MediaLibraryError)) return error.message
  const problems = error.errors.map(({ path, message }) => `${path} ${message}`).join('; ')
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`
  return error.status === 401 ? 'You are signed out. Run: media-library login' : `${problems || error.message}${request}`
}
