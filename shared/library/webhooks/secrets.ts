import { createHmac, randomBytes } from 'node:crypto'
import type { Secrets } from '../../backends/secrets/port.ts'
import { decryptApiSecret, encryptApiSecret } from '../accounts/api-secrets.ts'
import type { StoredSecret, WebhookRecord } from './webhook.ts'

/** What encrypts secrets. */
export interface MasterKey {
  apiSecretsKey: Secrets<'apiSecretsKey'>
}

const PREFIX = 'whsec_'
const BYTES = 32

/** A new secret as its owner gets it, and as it is stored. */
export async function makeSecret(library: MasterKey, webhookId: string): Promise<{ secret: string; stored: StoredSecret }> {
  const secret = `${PREFIX}${randomBytes(BYTES).toString('base64')}`
  return { secret, stored: { encrypted: await encryptApiSecret(library, webhookId, secret) } }
}

/** The secrets that sign now, in clear. @param now UNIX milliseconds */
export function secretsAt(library: MasterKey, { webhookId, secrets }: WebhookRecord, now: number): Promise<string[]> {
  const valid = secrets.filter(({ until = Number.POSITIVE_INFINITY }) => until > now)
  return Promise.all(valid.map(({ encrypted }) => decryptApiSecret(library, webhookId, encrypted)))
}

/**
 * The headers of Standard Webhooks 1.0 (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 * @param time of this try, in UNIX milliseconds
 */
export function signedHeaders(secrets: readonly string[], message: { id: string; time: number; body: string }): Record<string, string> {
  const timestamp = String(Math.floor(message.time / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`
  })
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
