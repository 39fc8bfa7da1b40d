import type { Readable } from 'node:stream'
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols'
import { isThrottlingError, isTransientError, REQUEST_HEADER, StandardRetryStrategy } from '@smithy/core/retry'
import { Hash } from '@smithy/core/serde'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { SignatureV4 } from '@smithy/signature-v4'
import { longRequest, requestLimits } from '../aws/request-limits.ts'
import { checkKey, keyPath } from './keys.ts'
import { type ByteRange, CACHE_TAG_HEADER, type KnownObjects, type ObjectBody, type ObjectInfo, ObjectMissing } from './port.ts'
import { checkRange } from './ranges.ts'
import { translated } from './s3-errors.ts'
import { fetchToFile } from './s3-fetch.ts'
import { bucketUrl, CACHE_TAG, type S3Address, toInfo } from './s3-values.ts'
import type { Credentials } from './upload-policy.ts'

/** Attempts at a request, like the SDK's clients. */
const ATTEMPTS = 3

interface S3Reader extends S3Address {
  /** Milliseconds until an answer begins. */
  answerTime?: number
}

/**
 * Reads a bucket of S3 with the SDK's building blocks for signatures, connections, time limits and retries. The SDK's whole S3 client takes
 * 35 ms more processor time until the first answer, a quarter of the cold start of the renderer of links. Uses the role's credentials,
 * which need `s3:ListBucket` besides the right to read: without it S3 answers 403 for missing objects.
 */
export function s3Reader({ answerTime = 8000, ...address }: S3Reader): KnownObjects {
  const requests = new Requests(address, answerTime)
  async function head(key: string): Promise<ObjectInfo | undefined> {
    checkKey(key)
    try {
      const answer = await translated(key, () => requests.send('HEAD', key))
      answer.body.resume()
      return infoOf(key, answer)
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined
      throw error
    }
  }
  async function get(key: string, range?: ByteRange): Promise<ObjectBody> {
    checkKey(key)
    if (range) checkRange(range)
    return translated(key, async () => {
      const answer = await requests.send('GET', key, range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {})
      return { ...infoOf(key, answer), stream: answer.body }
    })
  }
  return { head, get, fetch: (key, path) => fetchToFile({ get }, key, path) }
}

function infoOf(key: string, { headers }: HttpResponse): ObjectInfo {
  const total = headers['content-range']?.split('/').at(-1) ?? headers['content-length'] ?? 0
  const modified = headers['last-modified']
  const cacheTag = headers[CACHE_TAG_HEADER]
  return toInfo(key, Number(total), {
    ContentType: headers['content-type'],
    CacheControl: headers['cache-control'],
    ContentDisposition: headers['content-disposition'],
    Metadata: cacheTag === undefined ? undefined : { [CACHE_TAG]: cacheTag },
    LastModified: modified === undefined ? undefined : new Date(modified),
    ETag: headers.etag,
  })
}

/** Requests to one bucket. */
class Requests {
  readonly #url: URL
  readonly #handler: NodeHttpHandler
  readonly #signer: SignatureV4
  readonly #retries = new StandardRetryStrategy(ATTEMPTS)

  constructor(address: S3Address, answerTime: number) {
    this.#url = new URL(bucketUrl(address))
    this.#handler = new NodeHttpHandler(requestLimits(answerTime, longRequest.requestTimeout))
    this.#signer = new SignatureV4({
      service: 's3',
      region: address.region,
      credentials: roleCredentials,
      sha256: Hash.bind(null, 'sha256'),
      // Only S3 signs paths that are encoded once.
      uriEscapePath: false,
    })
  }

  /** @returns S3's answer if it has the object; the body must be read or destroyed */
  async send(method: 'HEAD' | 'GET', key: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
    let token = await this.#retries.acquireInitialRetryToken('')
    for (;;) {
      try {
        const attempt = `attempt=${token.getRetryCount() + 1}; max=${ATTEMPTS}`
        const answer = await this.#attempt(method, key, { ...headers, [REQUEST_HEADER]: attempt })
        this.#retries.recordSuccess(token)
        return answer
      } catch (error) {
        // Waits before the retry; rejects if the error is not retryable or attempts are used up.
        token = await this.#retries.refreshRetryTokenForRetry(token, { errorType: retryType(error) }).catch(() => {
          throw error
        })
      }
    }
  }

  async #attempt(method: string, key: string, headers: Record<string, string>): Promise<HttpResponse> {
    const { protocol, hostname, port, host, pathname } = this.#url
    const request = new HttpRequest({
      method,
      protocol,
      hostname,
      ...(port && { port: Number(port) }),
      path: `${pathname.replace(/\/$/, '')}/${keyPath(key)}`,
      headers: { host, ...headers },
    })
    const signed = await this.#signer.sign(request)
    const { response } = await this.#handler.handle(HttpRequest.clone(signed))
    if (response.statusCode === 200 || response.statusCode === 206) return response
    throw await refusal(response)
  }
}

/** Converts an error response to an exception like the SDK's. */
async function refusal({ statusCode, body }: HttpResponse): Promise<Error> {
  const stream: Readable = body
  const xml = Buffer.concat(await stream.toArray()).toString()
  const textOf = (element: string) => new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]
  // Answers to HEAD have no body.
  const name = textOf('Code') ?? (statusCode === 404 ? 'NotFound' : `Http${statusCode}`)
  return Object.assign(new Error(textOf('Message') ?? name), { name, $metadata: { httpStatusCode: statusCode } })
}

type SdkError = Parameters<typeof isTransientError>[0]

const isSdkError = (error: unknown): error is SdkError => error instanceof Error

function retryType(error: unknown) {
  if (!isSdkError(error)) return 'CLIENT_ERROR'
  if (isThrottlingError(error)) return 'THROTTLING'
  return isTransientError(error) ? 'TRANSIENT' : 'CLIENT_ERROR'
}

/** Credentials of the function's role, from Lambda's environment. @throws Error if there are none */
async function roleCredentials(): Promise<Credentials> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('there are no credentials in the environment to sign with')
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  }
}
