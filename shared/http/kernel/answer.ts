import type { JsonText } from '../declaration/json-text.ts'
import type { ApiResult } from '../protocol/exchange.ts'

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
