import { joined } from './bytes.ts'
import { MediaLibraryError } from './media-library-error.ts'
import type { Schemas } from './schemas.ts'

/** Seconds that the clocks of sender and receiver may differ, with the way of the request. */
const TOLERANCE = 5 * 60
const PREFIX = 'whsec_'

/** The message of a webhook. */
export interface WebhookMessage {
  /** The type of the event. */
  type: string
  /** The time of the event, in ISO 8601. */
  timestamp: string
  data: Schemas['Event']
}

/** Headers of a request, as browsers, workers and servers of Node have them: names in lower case. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Checks that a request comes from the library (Standard Webhooks 1.0), and is not an old one that somebody sends again.
 * @param body as it arrived: bytes, or the text that they are in UTF-8
 * @param secrets `whsec_…`; while a secret is rotated the old and the new one
 * @throws MediaLibraryError 401 `webhook_signature` or `webhook_timestamp`: what to answer
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secrets: string | readonly string[],
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, `webhook-${name}`))
  if (!id || !timestamp || !signatures) throw refused('signature', 'The request has no signature.')
  const message = joined(`${id}.${timestamp}.`, body)
  const given = signatures.split(' ').flatMap((signature) => (signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : []))
  if (!(await isSigned(message, given, [secrets].flat()))) throw refused('signature', 'The signature is of another secret or another body.')
  // A time that is no number is as far away as can be.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE))
    throw refused('timestamp', 'The request was sent more than five minutes ago, or the clocks differ.')
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
}

/** The platform compares in constant time. */
async function isSigned(message: Bytes, signatures: readonly Bytes[], secrets: readonly string[]): Promise<boolean> {
  for (const secret of secrets) {
    const [bytes] = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
    if (!bytes?.length) throw new TypeError(`A secret of webhooks is ${PREFIX} and base64.`)
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, message)) return true
  }
  return false
}

type Bytes = Uint8Array<ArrayBuffer>

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, string | readonly string[]>)[name]
  return typeof value === 'string' ? value : undefined
}

/** @returns nothing where it is no base64 */
function bytesOf(base64: string): [] | [Bytes] {
  try {
    return [Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]
  } catch {
    return []
  }
}

const refused = (what: 'signature' | 'timestamp', message: string) => new MediaLibraryError(401, { code: `webhook_${what}`, message })
