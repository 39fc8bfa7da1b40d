import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { afterAll, afterEach, describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { KNOWN_MS, secretsManager } from '../../../shared/backends/secrets/secrets-manager.ts'
import { secretsContract } from './contract.ts'

const client = new SecretsManagerClient()
const made: string[] = []

async function makeSecret(value: string, name = `contract-${randomUUID()}`): Promise<string> {
  const { ARN } = await client.send(new CreateSecretCommand({ Name: name, SecretString: value }))
  made.push(ARN!)
  return ARN!
}

async function deleteSecrets(): Promise<void> {
  for (const SecretId of made.splice(0)) await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
}

afterAll(() => client.destroy())

secretsContract('Secrets Manager', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const arns = {
    apiSecretsKey: await makeSecret(randomBytes(32).toString('base64')),
    urlSigningKey: await makeSecret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  }
  return { secrets: secretsManager({ arns, client }), close: deleteSecrets }
})

describe('Secrets Manager secrets', () => {
  afterEach(deleteSecrets)

  test('a secret is read again when what is known of it is five minutes old', async () => {
    const arn = await makeSecret('first')
    let now = 0
    const secrets = secretsManager({ arns: { apiSecretsKey: arn }, client, clock: { ...systemClock, now: () => now } })
    assert.deepEqual(await secrets.get('apiSecretsKey'), { current: 'first' })
    const rotated = { current: 'second', previous: 'first', since: 1 }
    await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: JSON.stringify(rotated) }))
    now = KNOWN_MS - 1
    assert.deepEqual(await secrets.get('apiSecretsKey'), { current: 'first' })
    assert.deepEqual(await secretsManager({ arns: { apiSecretsKey: arn }, client }).get('apiSecretsKey'), rotated)
    now = KNOWN_MS
    assert.deepEqual(await secrets.get('apiSecretsKey'), rotated)
  })

  test('what is known stays where it can not be read again, and is read again soon', async () => {
    const arn = await makeSecret('first')
    let now = 0
    const secrets = secretsManager({ arns: { apiSecretsKey: arn }, client, clock: { ...systemClock, now: () => now } })
    await secrets.get('apiSecretsKey')
    await client.send(new DeleteSecretCommand({ SecretId: arn }))
    now = KNOWN_MS
    assert.deepEqual(await secrets.get('apiSecretsKey'), { current: 'first' })
    await client.send(new RestoreSecretCommand({ SecretId: arn }))
    await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: 'second' }))
    now += 60_000
    assert.deepEqual(await secrets.get('apiSecretsKey'), { current: 'second' })
  })

  test("a text of the operator's own is one value, whatever it looks like", async () => {
    for (const text of ['{', '{"key":"value"}', '"text"', '["current"]', '7', '{"current":"a","of":"another"}']) {
      const secrets = secretsManager({ arns: { stockProviderKey: await makeSecret(text) }, client })
      assert.deepEqual(await secrets.get('stockProviderKey'), { current: text })
    }
  })

  test('a read that failed is tried again', async () => {
    const name = `contract-${randomUUID()}`
    const secrets = secretsManager({ arns: { apiSecretsKey: name }, client })
    await assert.rejects(secrets.get('apiSecretsKey'), { name: 'ResourceNotFoundException' })
    await makeSecret('late', name)
    assert.deepEqual(await secrets.get('apiSecretsKey'), { current: 'late' })
  })
})
