import { createHash } from 'node:crypto'
import type { APIGatewayProxyResult } from 'aws-lambda'
import type { z } from 'zod'
import type { Endpoint } from '../declaration/endpoint.ts'
import type { AnsweredPage } from '../declaration/page.ts'
import {
  type AnsweredFile,
  type FileOutput,
  isFileOutput,
  isOtherAnswer,
  isPageOutput,
  JsonText,
  WithCookies,
  WithVersion,
} from '../declaration/results.ts'
import { renameKey } from '../protocol/brand-field.ts'
import { hasTag, versionTag } from '../protocol/conditional-requests.ts'
import { cookieText } from '../protocol/cookies.ts'
import { type ApiResult, type Kernel, setHeaders } from '../protocol/exchange.ts'
import { isOverTls } from '../protocol/viewer.ts'

/** A JSON answer. */
export function json(statusCode: number, body: unknown): ApiResult {
  return { statusCode, headers: jsonHeaders(), body: JSON.stringify(body) }
}

/** A 200 of JSON that is text already. */
export function jsonTextAnswer({ text }: JsonText): ApiResult {
  const body = typeof text === 'string' ? { body: text } : { body: '', pieces: text }
  return { statusCode: 200, headers: jsonHeaders(), ...body }
}

function jsonHeaders(): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
}

/**
 * Turns a handler's result into an answer. The schemas strip undeclared fields.
 * @param knownTags the request's `If-None-Match`: the versions of a file that the client has
 */
export function toAnswer(
  { returns, accepted }: Pick<Endpoint, 'returns' | 'accepted'>,
  kernel: Kernel,
  result: unknown,
  knownTags?: string,
): ApiResult {
  const body = (schema: z.ZodType, held: unknown) => renameKey(schema.parse(held), kernel.settings.brand, 'out')
  if (result instanceof WithVersion) {
    const answer = toAnswer({ returns, accepted }, kernel, result.answer)
    setHeaders(answer, { ETag: versionTag(result.version) })
    return answer
  }
  if (result instanceof WithCookies) {
    const cookies = result.cookies.map((cookie) => cookieText(cookie, isOverTls(kernel)))
    return { ...toAnswer({ returns, accepted }, kernel, result.answer), multiValueHeaders: { 'Set-Cookie': cookies } }
  }
  if (!isOtherAnswer(result)) {
    if (!returns) throw new Error('this endpoint never answers 200')
    if (result instanceof JsonText) return jsonTextAnswer(result)
    if (isFileOutput(returns)) return fileAnswer(returns, result as AnsweredFile, knownTags)
    return isPageOutput(returns) ? pageAnswer(result as AnsweredPage) : json(200, body(returns, result))
  }
  switch (result.kind) {
    case 'accepted':
      return json(202, body(accepted!, result.body))
    case 'created':
      return json(201, {})
    case 'no content':
      return { statusCode: 204, headers: { 'Cache-Control': 'no-store' }, body: '' }
    case 'redirect':
      return { statusCode: 302, headers: { Location: result.body, 'Cache-Control': 'no-store' }, body: '' }
    case 'unavailable':
      return json(503, body(returns as z.ZodType, result.body))
  }
}

/** A file for this caller alone: only their own cache may keep it, and must ask each time whether it changed. */
function fileAnswer({ mediaType }: FileOutput, { bytes, filename }: AnsweredFile, knownTags: string | undefined): APIGatewayProxyResult {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  if (knownTags !== undefined && hasTag(knownTags, etag)) return { statusCode: 304, headers, body: '' }
  return {
    statusCode: 200,
    headers: {
      ...headers,
      'Content-Type': mediaType,
      // Tells API Gateway and proxies not to compress pictures, which would not get smaller.
      'Content-Encoding': 'identity',
      'Content-Disposition': `inline; filename="${filename}"`,
    },
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  }
}

/** A page whose address may hold a secret: no cache keeps it, and no other site learns its address. */
export function pageAnswer({ html, policy }: AnsweredPage): APIGatewayProxyResult {
  return {
    statusCode: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
    body: html,
  }
}
