import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { cutOff, dropped, lost, refusal } from './fault.ts'
import { faultyEndpoint } from './faulty-endpoint.ts'
import type { FaultPlan } from './plan.ts'

/** How a fetch ended, in a word. */
type Ending = string

describe('an endpoint with faults', () => {
  const carriedOut: string[] = []
  const engine = createServer(async (request, response) => {
    carriedOut.push(await text(request))
    response.end('an answer of the engine')
  })
  let address = ''
  beforeAll(async () => {
    await once(engine.listen(0, '127.0.0.1'), 'listening')
    address = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
  })
  afterAll(() => engine.close())

  async function endings(plan: FaultPlan | undefined, requests: number, headers: Record<string, string> = {}): Promise<Ending[]> {
    const endpoint = await faultyEndpoint(address, plan)
    const seen: Ending[] = []
    for (let number = 0; number < requests; number++) {
      const options = { method: 'POST', body: String(number), headers: { 'x-amz-target': 'Service.Operation', ...headers } }
      seen.push(
        await fetch(endpoint.url, options)
          .then(async (answer) => `${answer.status} ${await answer.text()}`)
          .catch(() => 'broken'),
      )
    }
    await endpoint.close()
    return seen
  }

  const plan = (seed: string, rate = 0.3): FaultPlan => ({ seed, rate, faults: () => [dropped, refusal(400, 'Throttled')] })

  test('passes on what it has no plan for', async () => {
    assert.deepEqual(await endings(undefined, 2), ['200 an answer of the engine', '200 an answer of the engine'])
    assert.deepEqual(carriedOut.slice(-2), ['0', '1'])
  })

  test('does the same for the same seed, and something else for another', async () => {
    const first = await endings(plan('one'), 40)
    assert.deepEqual(await endings(plan('one'), 40), first)
    assert.notDeepEqual(await endings(plan('two'), 40), first)
    assert.equal(new Set(first).size, 3, 'answers, refusals and breaks')
  })

  test('leaves the last attempt alone, unless everything fails', async () => {
    const last = { 'amz-sdk-request': 'attempt=3; max=3' }
    assert.equal(new Set(await endings(plan('one', 0.99), 20, last)).size, 1)
    assert.ok(!(await endings(plan('one', 1), 20, last)).includes('200 an answer of the engine'))
  })

  test('a lost answer is of a request that was carried out, a dropped request was not', async () => {
    const before = carriedOut.length
    assert.deepEqual(await endings({ seed: '', rate: 1, faults: () => [dropped] }, 1), ['broken'])
    assert.equal(carriedOut.length, before)
    assert.deepEqual(await endings({ seed: '', rate: 1, faults: () => [lost] }, 1), ['broken'])
    assert.equal(carriedOut.length, before + 1)
  })

  test('an answer that is cut off does not look whole', async () => {
    assert.deepEqual(await endings({ seed: '', rate: 1, faults: () => [cutOff] }, 1), ['broken'])
  })
})
