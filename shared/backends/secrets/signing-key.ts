import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Secrets } from './port.ts'

/** The key that signs URLs. */
export interface SigningKey {
  /** Id of the public key at the delivery network. */
  keyPairId: string
  /** P-256. */
  privateKey: KeyObject
}

/** The key that verifies signatures. */
export interface VerifyingKey {
  keyPairId: string
  /** P-256. */
  publicKey: KeyObject
}

/** Precedes the PEM of a rotated key: RFC 7468 allows other text there. */
const ID_LINE = /^Key-Pair-Id: ([\w-]{1,64})\n/

/**
 * @param text PEM (PKCS#8), after its id unless it is the first key of a deployment
 * @param firstId id of the first key
 * @throws if it is no private key on the curve P-256, the only one that CloudFront supports
 */
export function readSigningKey(text: string, firstId: string): SigningKey {
  const [line = '', keyPairId = firstId] = ID_LINE.exec(text) ?? []
  const privateKey = createPrivateKey(text.slice(line.length))
  if (privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('URLs are signed with a P-256 key')
  return { keyPairId, privateKey }
}

/** The key that verifies what `key` signs. */
export function verifyingKey({ keyPairId, privateKey }: SigningKey): VerifyingKey {
  return { keyPairId, publicKey: createPublicKey(privateKey) }
}

/** A new private key, as PEM (PKCS#8). */
export function newSigningKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** A key in the form for `readSigningKey()`. */
export function withId(pem: string, keyPairId: string): string {
  return `Key-Pair-Id: ${keyPairId}\n${pem}`
}

/** The public half of a key, as PEM (SPKI). */
export function publicHalf(key: Pick<SigningKey, 'privateKey'>): string {
  return createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' }).toString()
}

/** Reads the current key that signs URLs. Returns the same object until the key changes: parsing a PEM takes longer than signing. */
export function signingKeyOf(secrets: Secrets<'urlSigningKey'>, firstId: string): () => Promise<SigningKey> {
  let known: { text: string; key: SigningKey } | undefined
  return async () => {
    const { current: text } = await secrets.get('urlSigningKey')
    if (known?.text !== text) known = { text, key: readSigningKey(text, firstId) }
    return known.key
  }
}
