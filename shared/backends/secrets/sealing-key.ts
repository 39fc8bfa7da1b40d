import { randomBytes } from 'node:crypto'

/** A new key that encrypts stored secrets: 32 bytes in base64. */
export function newSealingKey(): string {
  return randomBytes(32).toString('base64')
}
