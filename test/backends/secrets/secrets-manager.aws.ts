import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { CreateSecretCommand, DeleteSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, afterEach, describe, test } from 'vitest'
import { secretsManager } from '../../../shared/backends/secrets/secrets-manager.ts'
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

  test('a secret is read once in the life of the process', async () => {
    const arn = await makeSecret('first')
    const secrets = secretsManager({ arns: { apiSecretsKey: arn }, client })
    assert.equal(await secrets.get('apiSecretsKey'), 'first')
    await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: 'second' }))
    assert.equal(await secrets.get('apiSecretsKey'), 'first')
    assert.equal(await secretsManager({ arns: { apiSecretsKey: arn }, client }).get('apiSecretsKey'), 'second')
  })

  test('a read that failed is tried again', async () => {
    const name = `contract-${randomUUID()}`
    const secrets = secretsManager({ arns: { apiSecretsKey: name }, client })
    await assert.rejects(secrets.get('apiSecretsKey'), { name: 'ResourceNotFoundException' })
    await makeSecret('late', name)
    assert.equal(await secrets.get('apiSecretsKey'), 'late')
  })
})
