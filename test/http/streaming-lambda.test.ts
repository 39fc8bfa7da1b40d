import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { endpointHandler } from '../../shared/http/kernel/lambda.ts'
import { stream } from '../../shared/http/results.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { apiEvent } from '../support/api-event.ts'
import { awslambda, Sent } from '../support/lambda-stream.ts'

async function* words(failure?: Error) {
  yield 'one '
  if (failure) throw failure
  yield 'two'
}

const listWords = endpoint({
  route: 'GET /words/{kind}',
  summary: 'List',
  description: 'Of a test.',
  access: 'anyone',
  uses: {},
  params: { kind: z.enum(['whole', 'empty', 'broken']) },
  returns: stream('text/plain'),
  async handle({ params: { kind } }) {
    const source = kind === 'empty' ? [] : words(kind === 'broken' ? new Error('no more words') : undefined)
    return { mediaType: 'text/plain' as const, bytes: Readable.from(source, { objectMode: false }) }
  },
})

describe('an answer that streams, from a Lambda function', () => {
  let handler: ReturnType<typeof endpointHandler>
  const logged: string[] = []
  beforeAll(() => {
    vi.stubGlobal('awslambda', awslambda)
    vi.stubEnv('SETTINGS', JSON.stringify(defaultSettings))
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => logged.push(String(line)) > 0)
    handler = endpointHandler(listWords, {})
  })
  afterAll(() => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })
  const ask = async (kind: string) => {
    const sent = new Sent()
    const event = apiEvent({ method: 'GET', path: `/words/${kind}`, authorization: '' }, '/words/{kind}', { kind })
    const outcome: Promise<void> = Reflect.apply(handler, undefined, [event, sent, {}])
    const failure = await outcome.then(
      () => undefined,
      (error: Error) => error.message,
    )
    return { sent, failure, requestId: event.requestContext.requestId }
  }

  test('has status and headers, then its bytes', async () => {
    const { sent, failure } = await ask('whole')
    assert.deepEqual([failure, sent.text, sent.writableFinished], [undefined, 'one two', true])
    assert.equal(sent.head!.statusCode, 200)
    assert.equal(sent.head!.headers['Content-Type'], 'text/plain')
  })

  test('has them when it is empty', async () => {
    const { sent } = await ask('empty')
    assert.deepEqual([sent.head!.statusCode, sent.text, sent.writableFinished], [200, '', true])
  })

  test('is an error as everywhere before its first byte', async () => {
    const { sent, failure } = await ask('else')
    assert.deepEqual([failure, sent.head!.statusCode, JSON.parse(sent.text).code], [undefined, 400, 'invalid_input'])
  })

  test('fails the invocation when it breaks off, and is logged', async () => {
    const { sent, failure, requestId } = await ask('broken')
    assert.equal(failure, 'no more words')
    assert.ok(sent.destroyed && !sent.writableFinished)
    assert.ok(logged.some((line) => line.includes('the answer broke off') && line.includes(requestId)))
  })
})
