import { Invalid } from '../../library/errors.ts'
import { type ApiEvent, headerValues } from '../protocol/exchange.ts'

const MAX_LENGTH = 255

/**
 * The value of `Idempotency-Key`: bare, or in quotes as RFC 8941 writes strings. Both are the same key.
 * @returns undefined where there is none
 * @throws Invalid
 */
export function idempotencyKey(event: Pick<ApiEvent, 'headers' | 'multiValueHeaders'>): string | undefined {
  const [sent, ...others] = headerValues(event, 'idempotency-key')
  if (sent === undefined) return undefined
  const value = unquoted(sent.trim())
  if (others.length > 0 || value.length < 1 || value.length > MAX_LENGTH) {
    throw new Invalid({ path: 'Idempotency-Key', message: `must be one value of 1 to ${MAX_LENGTH} characters` })
  }
  return value
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value
}
