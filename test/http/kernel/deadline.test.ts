import assert from 'node:assert/strict'
import { test } from 'vitest'
import * as z from 'zod'
import { timeLeft } from '../../../shared/deadline.ts'
import { endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { apiEvent } from '../../support/api-event.ts'
import { handlerOf } from '../serving.ts'

const getTimeLeft = endpoint({
  route: 'GET /time-left',
  summary: 'Test',
  description: 'Of a test.',
  access: 'anyone',
  uses: {},
  returns: z.number(),
  async handle() {
    return timeLeft()
  },
})

async function ask(timed: Parameters<typeof handlerOf>[0], context?: { getRemainingTimeInMillis(): number }): Promise<number> {
  const { body } = await handlerOf(timed)(apiEvent({ method: 'GET', path: '/time-left', authorization: '' }, '/time-left', null), context)
  return JSON.parse(body)
}

test('a request has the time of its endpoint, or what the function has left of it, less that of the answer', async () => {
  const left = await ask(getTimeLeft)
  assert.ok(left > 0 && left <= 9_000)
  const long = await ask({ ...getTimeLeft, timeoutSeconds: 29 })
  assert.ok(long > 9_000 && long <= 28_000)
  assert.ok((await ask(getTimeLeft, { getRemainingTimeInMillis: () => 3_000 })) <= 2_000)
})
