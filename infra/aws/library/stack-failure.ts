import { IndexBehind } from '../../../shared/backends/search/port.ts'

/** Explains errors of a stack's services. Returns other errors unchanged. */
export function explainStackFailure(error: unknown): unknown {
  if (error instanceof IndexBehind) {
    return new Error(`The search engine did not answer in time: ${error.message}. Give the command again, it goes on where it ended.`, {
      cause: error,
    })
  }
  // The error of OpenSearch's client, which only commands for its index load.
  if (error instanceof Error && error.name === 'ResponseError' && 'statusCode' in error && error.statusCode === 403) {
    return new Error(
      'The search engine refuses these AWS credentials. It lets in the role or user that the setting searchAdminArn names, who needs the permission aoss:APIAccessAll, too.',
      { cause: error },
    )
  }
  return error
}
