import { CompositionMissing, ObjectChanged, ObjectMissing, ObjectsUnavailable, RangeOutside } from './port.ts'

/** The fields of the AWS SDK's exceptions that are used here. */
interface SdkError extends Error {
  /** Network error: `ECONNREFUSED` and the like. */
  code?: string
  $metadata?: { httpStatusCode?: number }
}

const MISSING = new Set(['NoSuchKey', 'NotFound'])
/** Transient errors of S3 and the network: a retry may succeed. */
const TRANSIENT = new Set(['OperationAborted', 'RequestTimeout', 'RequestTimeTooSkewed', 'SlowDown', 'ThrottlingException', 'TimeoutError'])

/** Runs one call to S3 about one object. Translates the SDK's exceptions to the port's errors, if it has one for them. */
export async function translated<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Error ? toPortError(error, key) : error
  }
}

function toPortError(error: SdkError, key: string): Error {
  if (MISSING.has(error.name)) return new ObjectMissing(key)
  if (error.name === 'NoSuchUpload') return new CompositionMissing(key)
  // The only condition that requests use is the ETag of a copied object.
  if (error.name === 'PreconditionFailed') return new ObjectChanged(key)
  if (error.name === 'InvalidRange') return new RangeOutside(`the range starts after the end of ${key}`)
  const status = error.$metadata?.httpStatusCode
  const isNetwork = status === undefined && error.code !== undefined
  if (isNetwork || TRANSIENT.has(error.name) || (status !== undefined && (status >= 500 || status === 429))) {
    return new ObjectsUnavailable(`storage is unavailable: ${error.message}`, { cause: error })
  }
  return error
}
