import assert from 'node:assert/strict'
import { test } from 'vitest'
import { renewing } from '../../../shared/library/concurrency/renewal.ts'
import { TestClock } from '../../support/test-clock.ts'

test('a claim is renewed three times in its life, whatever becomes of a renewal, and no more after the end of its scope', async () => {
  const clock = new TestClock()
  const began = clock.now()
  const renewed: number[] = []
  const renew = async () => {
    renewed.push(clock.now() - began)
    throw new Error('the table is away')
  }
  {
    await using _claim = renewing(clock, 90_000, renew)
    for (let third = 1; third <= 4; third++) {
      await clock.untilAsleep()
      clock.advance(30)
    }
    await clock.untilAsleep()
  }
  clock.advance(300)
  assert.deepEqual(renewed, [30_000, 60_000, 90_000, 120_000])
})
