import assert from 'node:assert/strict'
import { afterEach, describe, test, vi } from 'vitest'
import * as z from 'zod'
import { ServiceDown, ServiceRefusal, ServiceUnavailable } from '../../../shared/backends/remote/failure.ts'
import { type RemoteRequest, type RemoteService, remoteService } from '../../../shared/backends/remote/json-service.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type Answer, answering, breaking } from '../../support/answering.ts'
import { hostileAnswers, json, plain } from '../../support/hostile-answers.ts'

const schema = z.object({ name: z.string().max(10) })

/** Long enough for a busy machine. */
const limits = { timeoutMs: 20_000, answerBytes: 1_000 }
const get: RemoteRequest = { method: 'GET', path: 'items/1', repeatable: true, limits }
const hurried: RemoteRequest = { ...get, limits: { ...limits, timeoutMs: 300 } }
const buy: RemoteRequest = { ...get, method: 'POST', path: 'orders', repeatable: false }

const SECRET = 'Zq8-secret-key'

const good = json({ name: 'Anna' })

async function service(...answers: Answer[]) {
  const { endpoint, received } = await answering(...answers)
  const lines: string[] = []
  const log = jsonLog((line) => lines.push(line))
  return { service: remoteService({ baseUrl: `${endpoint}/api`, key: async () => SECRET, log }), received, lines }
}

/** What a call fails with. @throws AssertionError when it doesn't */
async function failureOf(remote: RemoteService, request = get): Promise<ServiceUnavailable> {
  const outcome = await remote.call(request, schema).then(
    (value) => ({ value }),
    (error: unknown) => error,
  )
  assert.ok(outcome instanceof ServiceUnavailable, JSON.stringify(outcome))
  return outcome
}

describe('a service outside', () => {
  afterEach(() => void vi.useRealTimers())

  test('is asked below its address, with the key', async () => {
    const { service: remote, received } = await service(good)
    const query = new URLSearchParams({ q: 'a & b' })
    assert.deepEqual(await remote.call({ ...get, query }, schema), { name: 'Anna' })
    assert.deepEqual(received, [{ method: 'GET', url: '/api/items/1?q=a+%26+b', authorization: `Bearer ${SECRET}`, body: '' }])
  })

  test('says by a 404 that there is no such thing', async () => {
    const { service: remote } = await service(json({ title: 'none' }, 404))
    assert.equal(await remote.call(get, schema), undefined)
  })

  test('may fail twice for a moment', async () => {
    const { service: remote, received } = await service(json({}, 503), breaking, good)
    assert.deepEqual(await remote.call(get, schema), { name: 'Anna' })
    assert.equal(received.length, 3)
  })

  test('is not asked again for what must not happen twice', async () => {
    const { service: remote, received } = await service(breaking, good)
    assert.ok((await failureOf(remote, buy)) instanceof ServiceDown)
    assert.equal(received.length, 1)
  })

  /** How the failure is called. `passing`: another attempt makes sense. `said no`: the service has not done what it was asked. */
  const failures: Record<keyof typeof hostileAnswers, [message: RegExp, ...what: ('passing' | 'said no')[]]> = {
    hangs: [/did not answer in time/],
    'sends a byte now and then': [/did not finish its answer in time/],
    'breaks off': [/could not be reached/, 'passing'],
    'answers 500': [/answered 500/, 'passing', 'said no'],
    'answers HTML': [/answered 200 without JSON/],
    'answers HTML as not found': [/answered 404 without JSON/, 'said no'],
    'says of HTML that it is JSON': [/what is no JSON/],
    'answers bytes that are no UTF-8': [/what is no JSON/],
    'nests deeply': [/what is no JSON/],
    'answers nothing': [/answered 204/],
    'wants another key': [/answered 401/, 'said no'],
    'redirects to loopback': [/redirected/, 'said no'],
    'sends 100 MB': [/more than 1000 bytes/],
    'sends what unpacks to 100 MB': [/more than 1000 bytes/],
  }
  test.each(Object.keys(failures) as (keyof typeof failures)[])('%s: that is no usable answer', async (hostile) => {
    const [message, ...what] = failures[hostile]
    const { service: remote, received, lines } = await service(hostileAnswers[hostile])
    const isSlow = hostile === 'hangs' || hostile === 'sends a byte now and then'
    const failure = await failureOf(remote, isSlow ? hurried : get)
    assert.match(failure.message, message)
    assert.equal(received.length, what.includes('passing') ? 3 : 1)
    assert.equal(failure.mayHaveActed, !what.includes('said no'))
    assert.equal(lines.length, 1)
  })

  test('answers another shape: only its place is told', async () => {
    const { service: remote } = await service(json({ name: 7 }))
    assert.match((await failureOf(remote)).message, /another shape, first at "name"/)
  })

  test.each([502, 504])('may have acted where a proxy lost its answer, which is a %i', async (status) => {
    const { service: remote } = await service(json({}, status))
    assert.equal((await failureOf(remote, buy)).mayHaveActed, true)
  })

  test.each([400, 413, 415, 422])('refuses a request by a %i', async (status) => {
    const { service: remote } = await service(json({}, status))
    assert.ok((await failureOf(remote)) instanceof ServiceRefusal)
  })

  test('is left alone after five failures in a row, and used again after ten seconds', async () => {
    const bad = Array.from({ length: 5 }, () => json({}, 500))
    const { service: remote, received, lines } = await service(...bad, json({}, 500), good)
    for (let n = 0; n < 5; n++) await failureOf(remote, buy)
    assert.match((await failureOf(remote)).message, /left alone/)
    assert.equal(received.length, 5)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
    await failureOf(remote, buy)
    assert.match((await failureOf(remote)).message, /left alone/, 'it is not back yet')
    assert.equal(received.length, 6)
    vi.setSystemTime(Date.now() + 10_000)
    assert.deepEqual(await remote.call(get, schema), { name: 'Anna' })
    assert.deepEqual(await remote.call(get, schema), { name: 'Anna' })
    assert.equal(lines.filter((line) => line.includes('left alone')).length, 2, 'not one for each call')
  })

  test('is not left alone for answers that are only wrong: whoever asks for a damaged item shuts nobody out', async () => {
    const wrong = Array.from({ length: 6 }, () => json({ name: 7 }))
    const { service: remote } = await service(...wrong, good)
    for (const _ of wrong) await failureOf(remote)
    assert.deepEqual(await remote.call(get, schema), { name: 'Anna' })
  })

  test('tells no secret: neither the key nor what was asked and answered is in errors and logs', async () => {
    const { service: remote, lines } = await service(json({ name: 'a secret answer' }), plain(200, 'application/json', '{a secret'))
    const query = new URLSearchParams({ q: 'a secret question' })
    const failures = [await failureOf(remote, { ...get, query }), await failureOf(remote, { ...get, query })]
    const told = [...lines, ...failures.map(({ stack, cause }) => `${stack} ${String(cause)}`)].join('\n')
    assert.match(told, /127\.0\.0\.1:\d+ answered/)
    assert.doesNotMatch(told, /secret/)
  })
})
