import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished, test, vi } from 'vitest'
import { runJson } from '../run-command.ts'

/** Milliseconds: longer than a function waits for the table, with all its attempts. */
const LATE = 13_000

const outputs = ['TableName', 'ApiSecretsKeyArn']
  .map((name) => `<member><OutputKey>${name}</OutputKey><OutputValue>${name.toLowerCase()}</OutputValue></member>`)
  .join('')
const stacks = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>late</StackName><Outputs>${outputs}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`

test('a command on a stack waits for an answer that comes late', async () => {
  const server = createServer(async (request, response) => {
    request.resume()
    if (!String(request.headers['x-amz-target']).startsWith('DynamoDB_')) return void response.end(stacks)
    await sleep(LATE)
    response.end('{"Items":[],"Count":0}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test')
  onTestFinished(() => void vi.unstubAllEnvs())
  assert.deepEqual(await runJson('', ['company', 'list', '--stack', 'late']), [])
})
