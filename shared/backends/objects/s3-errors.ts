import { ObjectChanged, ObjectMissing, ObjectsUnavailable, RangeOutside } from './port.ts'

/** What the AWS SDK throws, as far as it tells what happened. */
interface SdkError extends Error {
  /** Of the network: `ECONNREFUSED` and the like. */
  code?: string
  $metadata?: { httpStatusCode?: number }
}

const MISSING = new Set(['NoSuchKey', 'NotFound'])
/**
 * Failures that another attempt, later, may not have: S3's own, the network's, and an upload that is no more (when the answer to its
 * completion was lost, the SDK asks again).
 */
const PASSING = new Set([
  'NoSuchUpload',
  'OperationAborted',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'SlowDown',
  'ThrottlingException',
  'TimeoutError',
])

/** Runs one call to S3 about one object, and nothing else; what the SDK throws becomes an error of the port, as far as the port has one. */
export async function translated<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Error ? toPortError(error, key) : error
  }
}

function toPortError(error: SdkError, key: string): Error {
  if (MISSING.has(error.name)) return new ObjectMissing(key)
  // The one condition that is ever set is the ETag of what is copied.
  if (error.name === 'PreconditionFailed') return new ObjectChanged(key)
  if (error.name === 'InvalidRange') return new RangeOutside(`the range starts after the end of ${key}`)
  const status = error.$metadata?.httpStatusCode
  const isNetwork = status === undefined && error.code !== undefined
  if (isNetwork || PASSING.has(error.name) || (status !== undefined && (status >= 500 || status === 429))) {
    return new ObjectsUnavailable(`storage is unavailable: ${error.message}`, { cause: error })
  }
  return error
}
