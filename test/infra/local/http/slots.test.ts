import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Slots } from '../../../../infra/local/http/slots.ts'

describe('slots', () => {
  test('one source has its share, all together have all, and what is left can be taken again', () => {
    const slots = new Slots({ total: 4, perSource: 3 })
    const take = (source: string) => slots.take(source)
    assert.deepEqual(['a', 'a', 'a', 'a'].map(take), [true, true, true, false])
    assert.deepEqual([slots.isFull('a'), slots.isFull('b')], [true, false])
    assert.deepEqual(['b', 'b'].map(take), [true, false])
    slots.release('a')
    assert.deepEqual(['b', 'a'].map(take), [true, false])
    for (const source of ['a', 'a', 'b', 'b']) slots.release(source)
    assert.deepEqual(['c', 'c', 'c', 'c', 'a', 'b'].map(take), [true, true, true, false, true, false])
  })
})
