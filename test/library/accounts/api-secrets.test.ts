import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { KeyValues } from '../../../shared/backends/secrets/port.ts'
import { newSealingKey } from '../../../shared/backends/secrets/sealing-key.ts'
import { decryptApiSecret, encryptApiSecret } from '../../../shared/library/accounts/api-secrets.ts'

describe('the key that encrypts API secrets', () => {
  const [first, second, third] = [newSealingKey(), newSealingKey(), newSealingKey()]
  const library = (values: KeyValues) => ({ apiSecretsKey: { get: async () => values } })

  test('while it is rotated, everybody reads what anybody has sealed', async () => {
    const steps = [{ current: first }, { current: first, next: second }, { current: second, previous: first }]
    for (const [step, sealing] of steps.entries()) {
      const sealed = await encryptApiSecret(library(sealing), 'name', 'the secret')
      // Processes are one step apart: the rotation waits in between.
      for (const reading of steps.slice(Math.max(0, step - 1), step + 2)) {
        assert.equal(await decryptApiSecret(library(reading), 'name', sealed), 'the secret')
      }
      await assert.rejects(decryptApiSecret(library(sealing), 'another name', sealed))
    }
  })

  test('after two rotations the first opens nothing', async () => {
    const sealed = await encryptApiSecret(library({ current: first }), 'name', 'the secret')
    await assert.rejects(decryptApiSecret(library({ current: third, previous: second }), 'name', sealed))
  })
})
