import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { describe, onTestFinished, test } from 'vitest'
import type { Secrets } from '../../../shared/backends/secrets/port.ts'

export interface SecretsUnderTest {
  secrets: Secrets
  close(): Promise<void>
}

/** What every secrets adapter promises of a deployment's secrets. */
export function secretsContract(name: string, open: () => Promise<SecretsUnderTest>): void {
  const opened = async () => {
    const { secrets, close } = await open()
    onTestFinished(close)
    return secrets
  }
  describe(`secrets contract: ${name}`, () => {
    test('the key of API secrets is 32 bytes in base64', async () => {
      const secrets = await opened()
      const { current: key } = await secrets.get('apiSecretsKey')
      assert.equal(Buffer.from(key, 'base64').length, 32)
      assert.equal(Buffer.from(key, 'base64').toString('base64'), key)
    })

    test('the key that signs URLs is a P-256 private key in PKCS#8 PEM', async () => {
      const secrets = await opened()
      const { current: pem } = await secrets.get('urlSigningKey')
      assert.match(pem, /^-----BEGIN PRIVATE KEY-----\n/)
      assert.equal(createPrivateKey(pem).asymmetricKeyDetails?.namedCurve, 'prime256v1')
    })

    test('every read gives the same', async () => {
      const secrets = await opened()
      const reads = await Promise.all(Array.from({ length: 5 }, () => secrets.get('apiSecretsKey')))
      assert.equal(new Set(reads.map(({ current }) => current)).size, 1)
    })
  })
}
