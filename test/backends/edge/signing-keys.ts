import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Secrets } from '../../../shared/backends/secrets/port.ts'

/** Secrets with a fresh signing key, and the public key to it. */
export interface SigningSecrets {
  secrets: Secrets<'urlSigningKey'>
  publicKey: KeyObject
  /** How often the key was read. */
  reads(): number
}

export function signingSecrets(): SigningSecrets {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  let reads = 0
  return {
    secrets: {
      async get() {
        reads += 1
        return pem
      },
    },
    publicKey: createPublicKey(privateKey),
    reads: () => reads,
  }
}
