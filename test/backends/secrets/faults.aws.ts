import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { CreateSecretCommand, DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { secretsManager, secretsManagerClient } from '../../../shared/backends/secrets/secrets-manager.ts'
import { dropped, lost, refusal, unanswered } from '../../support/aws/faults/fault.ts'
import { faultyEndpoint } from '../../support/aws/faults/faulty-endpoint.ts'

const engine = process.env.AWS_ENDPOINT_URL
assert.ok(engine, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

describe('Secrets Manager when requests fail', async () => {
  const direct = new SecretsManagerClient()
  const endpoint = await faultyEndpoint(engine)
  const client = secretsManagerClient({ endpoint: endpoint.url, requestHandler: { requestTimeout: 1000, throwOnRequestTimeout: true } })
  let arn = ''
  beforeAll(async () => {
    const { ARN } = await direct.send(new CreateSecretCommand({ Name: `faults-${randomUUID()}`, SecretString: 'the key' }))
    arn = ARN!
  })
  afterEach(() => endpoint.follow(undefined))
  afterAll(async () => {
    await direct.send(new DeleteSecretCommand({ SecretId: arn, ForceDeleteWithoutRecovery: true }))
    direct.destroy()
    client.destroy()
    await endpoint.close()
  })
  const unread = () => secretsManager({ arns: { apiSecretsKey: arn }, client })

  const passing = {
    throttling: refusal(400, 'ThrottlingException'),
    'an internal error': refusal(500, 'InternalServiceError'),
    'a dropped connection': dropped,
    'a lost answer': lost,
    'an answer that never comes': unanswered,
  }
  for (const [title, fault] of Object.entries(passing)) {
    test(`a secret is read in spite of ${title}`, async () => {
      endpoint.follow({ seed: title, rate: 0.999, faults: () => [fault] })
      assert.equal((await unread().get('apiSecretsKey')).current, 'the key')
      assert.ok(endpoint.injected > 0)
    })
  }

  test('an outage fails the read with what the service said, and is not remembered', async () => {
    const secrets = unread()
    endpoint.follow({ seed: 'outage', rate: 1, faults: () => [refusal(503, 'ServiceUnavailable')] })
    await assert.rejects(secrets.get('apiSecretsKey'), { name: 'ServiceUnavailable' })
    endpoint.follow(undefined)
    assert.equal((await secrets.get('apiSecretsKey')).current, 'the key')
  })
})
