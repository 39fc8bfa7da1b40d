import assert from 'node:assert/strict'
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { beforeAll, describe, test } from 'vitest'
import { stackIdOf } from '../../infra/aws/library/stack-resources.ts'
import { keyParameterArn } from '../../infra/homes/key-parameters.ts'
import { parameterKeys } from '../../shared/backends/secrets/parameters.ts'
import { validValues } from '../../shared/backends/secrets/port.ts'
import { linesOf } from '../support/aws/stack-logs.ts'
import { startService } from '../support/service.ts'
import { stack } from './changing.ts'

/** Values of the keys of the stack. */
async function ofStack(): Promise<string[]> {
  const stackId = await stackIdOf(stack)
  const names = ['apiSecretsKey', 'urlSigningKey', 'originKey'] as const
  const keys = parameterKeys({ arns: Object.fromEntries(names.map((name) => [name, keyParameterArn(stackId, name)])) })
  return (await Promise.all(names.map((name) => keys.get(name)))).flatMap(validValues)
}

describe('after all the journeys', () => {
  let lines: string[]
  let secrets: string[]
  beforeAll(async () => {
    const { demo, signIn, request } = await startService()
    const authorization = await signIn()
    await request('/folder', { headers: { authorization } })
    const parameter = Buffer.from(authorization).toString('base64')
    await request(`/folder?Authorization=${encodeURIComponent(parameter)}`)
    secrets = [demo.password, demo.api_key, demo.api_secret, authorization.split('=')[1]!, parameter, 'SIMPLE-TOKEN', ...(await ofStack())]
    lines = await linesOf(stack)
  })

  test('nothing failed for good', async () => {
    const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: stack }))
    assert.equal(QueueUrls.length, 1, 'that of failed runs')
    for (const QueueUrl of QueueUrls) {
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }))
      assert.equal(Attributes?.ApproximateNumberOfMessages, '0', QueueUrl)
    }
    sqs.destroy()
  })

  test('no function has logged an error', () => {
    assert.ok(lines.filter((line) => line.includes('"message":"request"')).length > 500, 'the logs were looked at')
    assert.deepEqual(
      lines.filter((line) => /"level":"error"|Task timed out|Unhandled/.test(line)),
      [],
    )
  })

  test('no password, token, key or secret was ever logged', () => {
    for (const secret of secrets) assert.ok(!lines.some((line) => line.includes(secret)))
  })
})
