import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { parameterClient, parameterKeys } from '../../../shared/backends/secrets/parameters.ts'
import { type Answer, answering, clientOf } from '../../support/answering.ts'

const json =
  (status: number, body: object): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
const throttled = json(400, { __type: 'ThrottlingException', message: 'Rate exceeded' })

describe('keys in parameters', () => {
  test('are read although more functions start at once than an account may read parameters a second', async () => {
    const arn = 'arn:aws:ssm:eu-west-1:123456789012:parameter/media-library/library/1/apiSecretsKey'
    const { endpoint, received } = await answering(...Array<Answer>(3).fill(throttled), json(200, { Parameter: { Value: 'key' } }))
    const { maxAttempts: _, ...config } = clientOf(endpoint)
    const secrets = parameterKeys({ arns: { apiSecretsKey: arn }, client: parameterClient(config) })
    const both = await Promise.all([secrets.get('apiSecretsKey'), secrets.get('apiSecretsKey')])
    assert.deepEqual(both, [{ current: 'key' }, { current: 'key' }])
    // A key that is asked for twice is read once.
    assert.deepEqual(
      [...new Set(received.map(({ body }) => body))],
      [JSON.stringify({ Name: '/media-library/library/1/apiSecretsKey', WithDecryption: true })],
    )
    assert.equal(received.length, 4)
  })
})
