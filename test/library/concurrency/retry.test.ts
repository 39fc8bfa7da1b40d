import assert from 'node:assert/strict'
import { test } from 'vitest'
import { persistently } from '../../../shared/backends/table/dynamodb-retry.ts'
import { TableUnavailable, WriteConflict } from '../../../shared/backends/table/port.ts'
import { timeLeft, within } from '../../../shared/deadline.ts'
import { retryOnConflict } from '../../../shared/library/concurrency/retry.ts'
import { Conflict } from '../../../shared/library/errors.ts'

test('what lost a race is tried again until it wins', async () => {
  let attempts = 0
  const result = await retryOnConflict(async () => {
    if (++attempts < 4) throw new WriteConflict()
    return attempts
  })
  assert.equal(result, 4)
})

test('what is tried again inside of an attempt has no more time than that has left', async () => {
  let [outer, inner, calls] = [0, 0, 0]
  const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' })
  const call = () =>
    persistently(async () => {
      calls++
      throw throttled
    }, 'harmless')
  const nested = within(0, () =>
    retryOnConflict(async () => {
      outer++
      await retryOnConflict(async () => {
        inner++
        await assert.rejects(call(), TableUnavailable)
        throw new WriteConflict()
      })
    }),
  )
  await assert.rejects(nested, Conflict)
  assert.deepEqual([outer, inner, calls], [1, 1, 1])
})

test('a part may have less time than the whole, never more', async () => {
  assert.equal(timeLeft(), Number.POSITIVE_INFINITY)
  await within(50_000, async () => {
    const whole = timeLeft()
    assert.ok(whole <= 50_000)
    await within(90_000, async () => assert.ok(timeLeft() <= whole))
    await within(10_000, async () => assert.ok(timeLeft() <= 10_000))
    assert.ok(timeLeft() > 10_000)
  })
})
