import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Secrets } from '../../../shared/backends/secrets/port.ts'

/** Secrets with a fresh signing key, and the public key to it. */
export interface SigningSecrets {
  secrets: Secrets<'urlSigningKey'>
  publicKey: KeyObject
}

export function signingSecrets(): SigningSecrets {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    secrets: {
      get: async () => ({ current: pem }),
    },
    publicKey: createPublicKey(privateKey),
  }
}
