import type { Request } from './fault.ts'

/** The operation that a request asks for, as the SDK names its commands: `GetItem`, `UploadPart`. */
export function operationOf({ method, path, headers }: Pick<Request, 'method' | 'path' | 'headers'>): string {
  const target = headers['x-amz-target']
  return typeof target === 'string' ? target.split('.').at(-1)! : s3Operation(method, new URL(path, 'http://engine').searchParams)
}

/** The SDK's clients name most operations of S3 in the query, for the logs; the rest is told by what the query has. */
function s3Operation(method: string, query: URLSearchParams): string {
  const named = query.get('x-id')
  if (named) return named
  if (method === 'HEAD') return 'HeadObject'
  if (query.has('uploads')) return method === 'POST' ? 'CreateMultipartUpload' : 'ListMultipartUploads'
  if (query.has('uploadId')) return 'CompleteMultipartUpload'
  if (query.has('delete')) return 'DeleteObjects'
  if (method === 'GET' && query.size === 0) return 'GetObject'
  return query.has('list-type') ? 'ListObjectsV2' : `${method} ${[...query.keys()].join('&')}`
}
