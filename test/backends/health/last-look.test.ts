import assert from 'node:assert/strict'
import { test } from 'vitest'
import { lastLook } from '../../../shared/backends/health/last-look.ts'
import type { HealthProblem } from '../../../shared/backends/health/port.ts'
import { TestClock } from '../../support/test-clock.ts'

const full: HealthProblem = { code: 'disk_full', message: 'The disk of the data folder is full.', stops: true }

test('health is what a new look sees, and what the last one saw while a new one waits for the disk', async () => {
  const clock = new TestClock()
  const looks: PromiseWithResolvers<HealthProblem[]>[] = []
  const health = lastLook(
    {
      problems() {
        const look = Promise.withResolvers<HealthProblem[]>()
        looks.push(look)
        return look.promise
      },
    },
    clock,
  )
  const first = health.problems()
  looks[0]!.resolve([])
  assert.deepEqual(await first, [])

  const meanwhile = [health.problems(), health.problems()]
  await clock.untilAsleep()
  clock.advance(1)
  assert.deepEqual(await Promise.all(meanwhile), [[], []])
  assert.equal(looks.length, 2)
  looks[1]!.resolve([full])
  await looks[1]!.promise

  const third = health.problems()
  await clock.untilAsleep()
  clock.advance(1)
  assert.deepEqual(await third, [full])
  clock.advance(30)
  assert.deepEqual(
    (await health.problems()).map(({ message }) => message),
    ['The data folder does not answer.'],
  )
  looks[2]!.resolve([])
  await looks[2]!.promise
  const last = health.problems()
  looks[3]!.resolve([])
  assert.deepEqual(await last, [])
})

test('a look that fails is told once: the next request looks anew', async () => {
  const outcomes = [Promise.reject(new Error('the disk is gone')), Promise.resolve([])]
  const health = lastLook({ problems: async () => await outcomes.shift()! }, new TestClock())
  await assert.rejects(health.problems(), /the disk is gone/)
  assert.deepEqual(await health.problems(), [])
})
