import type { KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'

/**
 * Signs as `sign('sha256', message, privateKey)` of Node does, but with the same signature for the same message: OpenSSL signs with a random
 * nonce, and Node has no option for one that follows from message and key. It takes about 1 ms, twenty times as long as OpenSSL.
 * @param privateKey P-256
 * @returns DER
 * @see https://www.rfc-editor.org/rfc/rfc6979
 */
export function deterministicSignature(message: Buffer, privateKey: KeyObject): Buffer {
  const scalar = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url')
  return Buffer.from(p256.sign(message, scalar, { format: 'der' }))
}
