import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type Secrets, validValues } from '../../backends/secrets/port.ts'

interface MasterKey {
  apiSecretsKey: Secrets<'apiSecretsKey'>
}

/**
 * Encrypts an API secret with AES-256-GCM. It isn't hashed, because verifying an HMAC needs it in clear. It is bound to its key's name, so
 * that it can't be moved to another key.
 */
export async function encryptApiSecret({ apiSecretsKey }: MasterKey, key: string, secret: string): Promise<string> {
  const { current } = await apiSecretsKey.get('apiSecretsKey')
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(current, 'base64'), iv).setAAD(Buffer.from(key))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** @throws when the stored text was tampered with, belongs to another key, or was sealed before the last two rotations */
export async function decryptApiSecret({ apiSecretsKey }: MasterKey, key: string, encrypted: string): Promise<string> {
  let failure: unknown
  for (const masterKey of validValues(await apiSecretsKey.get('apiSecretsKey'))) {
    try {
      return unseal(masterKey, key, encrypted)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/**
 * Re-encrypts a secret with the current master key.
 * @returns undefined if it is encrypted with that key already
 * @throws as `decryptApiSecret()`
 */
export async function reencryptApiSecret(library: MasterKey, key: string, encrypted: string): Promise<string | undefined> {
  const { current } = await library.apiSecretsKey.get('apiSecretsKey')
  try {
    unseal(current, key, encrypted)
    return undefined
  } catch {
    return encryptApiSecret(library, key, await decryptApiSecret(library, key, encrypted))
  }
}

/** @throws when it was sealed with another key, or bound to another name */
function unseal(masterKey: string, key: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(masterKey, 'base64'), bytes.subarray(0, 12))
    .setAAD(Buffer.from(key))
    .setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
