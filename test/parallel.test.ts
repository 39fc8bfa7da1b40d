import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { inParallel } from '../shared/parallel.ts'

async function* later(values: number[]): AsyncGenerator<number> {
  yield* values
}

describe('work in parallel', () => {
  test('is done on every value, so many at a time and in order', async () => {
    const begun: number[] = []
    let [running, most] = [0, 0]
    await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (value) => {
      begun.push(value)
      most = Math.max(most, ++running)
      await setImmediate()
      running--
    })
    assert.deepEqual(begun, [1, 2, 3, 4, 5, 6, 7])
    assert.equal(most, 3)
  })

  test.each([
    ['an array', (values: number[]) => values],
    ['a generator', (values: number[]) => values.values().map((value) => value)],
    ['an asynchronous generator', (values: number[]) => later(values)],
  ])('on %s begins no more after a failure, and ends when what runs has ended', async (_, of) => {
    const ended: number[] = []
    const work = inParallel(of([1, 2, 3, 4, 5, 6]), 2, async (value) => {
      await setImmediate()
      if (value === 1) throw new Error('the first fails')
      await setImmediate()
      ended.push(value)
    })
    await assert.rejects(work, /the first fails/)
    assert.deepEqual(ended, [2])
  })
})
