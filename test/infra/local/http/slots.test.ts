import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Places } from '../../../../infra/local/http/slots.ts'

describe('places', () => {
  test('one source has its share, all together have all, and what is left can be taken again', () => {
    const places = new Places({ total: 4, perSource: 3 })
    const take = (source: string) => places.take(source)
    assert.deepEqual(['a', 'a', 'a', 'a'].map(take), [true, true, true, false])
    assert.deepEqual([places.hasShare('a'), places.hasShare('b')], [true, false])
    assert.deepEqual(['b', 'b'].map(take), [true, false])
    places.leave('a')
    assert.deepEqual(['b', 'a'].map(take), [true, false])
    for (const source of ['a', 'a', 'b', 'b']) places.leave(source)
    assert.deepEqual(['c', 'c', 'c', 'c', 'a', 'b'].map(take), [true, true, true, false, true, false])
  })
})
