import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { CreateSecretCommand, DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, afterEach, describe, test } from 'vitest'
import { secretsManager } from '../../../shared/backends/secrets/secrets-manager.ts'

const client = new SecretsManagerClient()
const made: string[] = []

async function makeSecret(value: string): Promise<string> {
  const { ARN } = await client.send(new CreateSecretCommand({ Name: `own-${randomUUID()}`, SecretString: value }))
  made.push(ARN!)
  return ARN!
}

afterEach(async () => {
  for (const SecretId of made.splice(0)) await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
})
afterAll(() => client.destroy())

describe('Secrets Manager secrets', () => {
  test("a text of the operator's own is one value, whatever it looks like", async () => {
    for (const text of ['{', '{"key":"value"}', '"text"', '["current"]', '7', '{"current":"a","of":"another"}']) {
      const secrets = secretsManager({ arns: { stockProviderKey: await makeSecret(text) }, client })
      assert.deepEqual(await secrets.get('stockProviderKey'), { current: text })
    }
  })
})
