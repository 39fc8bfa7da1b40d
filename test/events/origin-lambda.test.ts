import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { originFunction } from '../../shared/runtime/consumer.ts'
import type { OriginAnswer, OriginRequest } from '../../shared/runtime/origin.ts'
import { originHandler } from '../../shared/runtime/origin-lambda.ts'
import { defaultSettings } from '../../shared/settings.ts'

/** What a function that streams has sent. */
class Sent extends Writable {
  head: { statusCode: number; headers: Record<string, string> } | undefined
  readonly chunks: Buffer[] = []
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void) {
    this.chunks.push(Buffer.from(chunk))
    done()
  }
  get text() {
    return Buffer.concat(this.chunks).toString()
  }
}

/** Lambda's own, as far as functions see it: status and headers leave with the first write, and not without one. */
const awslambda = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from(output: Sent, head: NonNullable<Sent['head']>) {
      const write = output.write.bind(output)
      output.write = (chunk: unknown) => {
        output.head = head
        return write(chunk)
      }
      return output
    },
  },
}

describe('an origin of the CDN, from a Lambda function', () => {
  const logged: string[] = []
  beforeAll(() => {
    vi.stubGlobal('awslambda', awslambda)
    vi.stubEnv('SETTINGS', JSON.stringify(defaultSettings))
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => logged.push(String(line)) > 0)
  })
  afterAll(() => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  async function ask(
    answer: OriginAnswer,
    {
      method = 'GET',
      headers = {},
      rawPath = '/acme/1',
      rawQueryString = 'width=3',
    }: { method?: string; headers?: object; rawPath?: string; rawQueryString?: string } = {},
  ) {
    const requests: OriginRequest[] = []
    const declared = originFunction({
      summary: 'Answers',
      trigger: { origin: 'links' },
      uses: {},
      timeoutSeconds: 5,
      handle: async ({ request }) => {
        requests.push(request)
        return answer
      },
    })
    const handler = originHandler({ ...declared, name: 'answer' }, {})
    const sent = new Sent()
    const event = {
      ...{ version: '2.0', rawPath, rawQueryString, headers },
      requestContext: { http: { method }, requestId: 'r-7' },
    }
    const outcome: Promise<void> = Reflect.apply(handler, undefined, [event, sent, {}])
    const failure = await outcome.then(
      () => undefined,
      (error: Error) => error.message,
    )
    return { sent, failure, requests }
  }

  test('knows what the edge function made, whether or not it was encoded on the way', async () => {
    for (const [rawPath, rawQueryString] of [
      ['/iiif/h/acme/1/pct:0,0,50,50/!9,9/0/default.jpg', 'crop=0,0,0.5,1&aspect=1:1'],
      ['/iiif/h/acme/1/pct%3A0%2c0%2C50%2C50/%219%2C9/0/default.jpg', 'crop=0%2C0%2c0.5%2C1&aspect=1%3a1'],
    ]) {
      const { requests } = await ask({ status: 304, headers: {} }, { rawPath: rawPath!, rawQueryString: rawQueryString! })
      const [{ path, query }] = requests as [OriginRequest]
      assert.deepEqual([path, query], ['/iiif/h/acme/1/pct:0,0,50,50/!9,9/0/default.jpg', 'crop=0,0,0.5,1&aspect=1:1'])
    }
  })

  test('has status, headers and bytes, of any size', async () => {
    const body = Buffer.alloc(7 * 1024 ** 2, 1)
    const { sent, requests } = await ask({ status: 200, headers: { etag: '"1"' }, body }, { headers: { 'if-none-match': '"0"' } })
    assert.deepEqual(sent.head, { statusCode: 200, headers: { etag: '"1"' } })
    assert.ok(Buffer.concat(sent.chunks).equals(body) && sent.writableFinished)
    assert.deepEqual(requests, [{ path: '/acme/1', query: 'width=3', headers: { 'if-none-match': '"0"' } }])
  })

  test('has status and headers without a body, too', async () => {
    const { sent } = await ask({ status: 304, headers: { etag: '"1"' } })
    assert.deepEqual([sent.head!.statusCode, sent.text, sent.writableFinished], [304, '', true])
  })

  test('has the same head and no bytes for HEAD, and lets go of a stream', async () => {
    const body = Readable.from(['bytes'])
    const { sent } = await ask({ status: 200, headers: {}, body }, { method: 'HEAD' })
    assert.deepEqual([sent.head!.statusCode, sent.text, sent.writableFinished, body.destroyed], [200, '', true, true])
  })

  test('fails the invocation when it breaks off, and is logged', async () => {
    const body = Readable.from(
      (async function* () {
        yield 'one'
        throw new Error('no more')
      })(),
    )
    const { sent, failure } = await ask({ status: 200, headers: {}, body })
    assert.equal(failure, 'no more')
    assert.ok(sent.destroyed && !sent.writableFinished)
    assert.ok(logged.some((line) => line.includes('the answer broke off') && line.includes('r-7') && line.includes('"function":"answer"')))
  })
})
