import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type CustomResourceRequest, customResource } from '../../../../infra/aws/custom-resources/custom-resource.ts'

describe('a custom resource', () => {
  const answers: Record<string, unknown>[] = []
  /** Statuses of the next answers; 200 past them. */
  let statuses: number[] = []
  /** Like a URL that was signed without a content type: it refuses any. */
  const cloudFormation = createServer(async (request, response) => {
    const answer = (await json(request)) as Record<string, unknown>
    const status = request.headers['content-type'] === undefined ? (statuses.shift() ?? 200) : 403
    if (status === 200) answers.push(answer)
    response.writeHead(status).end()
  })
  beforeAll(() => once(cloudFormation.listen(0, '127.0.0.1'), 'listening'))
  afterAll(() => cloudFormation.close())

  const event = (RequestType: CustomResourceRequest['type']) =>
    ({
      RequestType,
      RequestId: 'request',
      StackId: 'stack',
      LogicalResourceId: 'Values',
      ResponseURL: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}/answer?signature=x`,
      ResourceProperties: { ServiceToken: 'arn', Name: 'value' },
    }) as unknown as CloudFormationCustomResourceEvent

  test('answers with what its work gave', async () => {
    const handler = customResource(async ({ type, properties }) => ({ Told: `${type} ${properties.Name}` }))
    await handler(event('Create'))
    assert.deepEqual(answers.pop(), {
      RequestId: 'request',
      StackId: 'stack',
      LogicalResourceId: 'Values',
      PhysicalResourceId: 'Values',
      Status: 'SUCCESS',
      Data: { Told: 'Create value' },
    })
  })

  test('keeps the id that it has, or gets one by what its work gave', async () => {
    const handler = customResource(async () => ({ Arn: 'arn:made' }), { idOf: ({ Arn }) => Arn })
    await handler(event('Create'))
    assert.equal(answers.pop()!.PhysicalResourceId, 'arn:made')
    await handler({ ...event('Update'), PhysicalResourceId: 'arn:first' } as CloudFormationCustomResourceEvent)
    assert.equal(answers.pop()!.PhysicalResourceId, 'arn:first')
  })

  test('has CloudFormation mask what is secret', async () => {
    const handler = customResource(async ({ resourceType }) => ({ Told: resourceType }))
    const ResourceProperties = { ServiceToken: 'arn', NoEcho: 'true' }
    const changed = { ResourceType: 'Custom::Key', ResourceProperties }
    await handler({ ...event('Update'), ...changed } as CloudFormationCustomResourceEvent)
    const { Data, NoEcho } = answers.pop()!
    assert.deepEqual([Data, NoEcho], [{ Told: 'Custom::Key' }, true])
  })

  test('answers when its work failed, too: CloudFormation would wait for an hour', async () => {
    const handler = customResource(async () => {
      throw new Error('no such bucket'.padEnd(10_000))
    })
    await handler(event('Delete'))
    const answer = answers.pop()!
    assert.deepEqual([answer.Status, answer.Data], ['FAILED', undefined])
    assert.match(String(answer.Reason), /^Error: no such bucket/)
    assert.ok(JSON.stringify(answer).length < 4_096, 'it takes no longer answers')
  })

  test('hands its answer in again when it was not taken, doing its work once', async () => {
    statuses = [503, 500]
    let runs = 0
    await customResource(async () => ({ Runs: String(++runs) }), { pauses: { first: 1, longest: 1 } })(event('Create'))
    assert.deepEqual(answers.pop()!.Data, { Runs: '1' })
  })

  test('fails when its answer is never taken, so that Lambda runs it again', async () => {
    statuses = [403, 403, 403, 403, 403]
    await assert.rejects(
      customResource(async () => ({}), { pauses: { first: 1, longest: 1 } })(event('Create')),
      /did not take the answer: 403/,
    )
  })
})
