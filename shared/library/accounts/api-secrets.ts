import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Secrets } from '../../backends/secrets/port.ts'

interface MasterKey {
  apiSecretsKey: Secrets<'apiSecretsKey'>
}

/**
 * API secrets must be recoverable, so they are stored encrypted: AES-256-GCM, bound to the key's name so that
 * an encrypted secret can't be moved to another key.
 */
export async function encryptApiSecret(library: MasterKey, key: string, secret: string): Promise<string> {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await masterKey(library), iv).setAAD(Buffer.from(key))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** @throws when the stored text was tampered with or belongs to another key */
export async function decryptApiSecret(library: MasterKey, key: string, encrypted: string): Promise<string> {
  const bytes = Buffer.from(encrypted, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', await masterKey(library), bytes.subarray(0, 12))
    .setAAD(Buffer.from(key))
    .setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

async function masterKey({ apiSecretsKey }: MasterKey): Promise<Buffer> {
  return Buffer.from(await apiSecretsKey.get('apiSecretsKey'), 'base64')
}
