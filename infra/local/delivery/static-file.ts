import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { bytesAnswer, type DeliveryAnswer } from './object-answer.ts'

/** A file of the service's own pages, ready to be sent. */
export interface StaticFile {
  /** In both forms that clients may ask for. */
  plain: Buffer
  gzipped: Buffer
  /** Differs with the content; each form adds its own end. */
  digest: string
  labels: Record<string, string>
}

/** Compresses a file. */
export async function staticFile(body: string | Buffer, labels: { contentType: string; cacheControl: string }): Promise<StaticFile> {
  const plain = Buffer.from(body)
  const digest = createHash('sha256').update(plain).digest('hex').slice(0, 32)
  return {
    plain,
    gzipped: await promisify(gzip)(plain, { level: 9 }),
    digest,
    labels: { 'content-type': labels.contentType, 'cache-control': labels.cacheControl, vary: 'accept-encoding' },
  }
}

/** Answers GET or HEAD with a file, compressed for clients that take gzip. */
export function staticFileAnswer({ plain, gzipped, digest, labels }: StaticFile, request: IncomingMessage): Promise<DeliveryAnswer> {
  const { method = 'GET', headers } = request
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(headers['accept-encoding'] ?? ''))
  if (!takesGzip) return bytesAnswer(plain, { ...labels, etag: `"${digest}"` }, { method, headers })
  return bytesAnswer(gzipped, { ...labels, etag: `"${digest}-gzip"`, 'content-encoding': 'gzip' }, { method, headers })
}
