import type { KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'

/**
 * Signs like Node's `sign('sha256', message, privateKey)`, but always with the same signature for a message: OpenSSL uses a random nonce,
 * and Node has no option for a deterministic one. Takes about 1 ms, twenty times as long as OpenSSL.
 * @param privateKey P-256
 * @returns DER
 * @see https://www.rfc-editor.org/rfc/rfc6979
 */
export function deterministicSignature(message: Buffer, privateKey: KeyObject): Buffer {
  const scalar = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url')
  return Buffer.from(p256.sign(message, scalar, { format: 'der' }))
}
