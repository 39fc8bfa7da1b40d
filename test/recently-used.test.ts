import assert from 'node:assert/strict'
import { test } from 'vitest'
import { RecentlyUsed } from '../shared/recently-used.ts'

test('what was asked for longest ago goes when the rest fills the room', () => {
  const kept = new RecentlyUsed<string>(10, ({ length }) => length)
  kept.set('a', '1234')
  kept.set('b', '1234')
  assert.equal(kept.get('a'), '1234')
  kept.set('c', '1234')
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => kept.get(key)),
    ['1234', undefined, '1234'],
  )
})

test('a value that takes the place of another leaves the room that the other took', () => {
  const kept = new RecentlyUsed<string>(10, ({ length }) => length)
  for (let round = 0; round < 5; round++) kept.set('a', '12345')
  kept.set('b', '12345')
  assert.deepEqual([kept.get('a'), kept.get('b')], ['12345', '12345'])
})

test('a long key takes room, too, and leaves it with its value', () => {
  const kept = new RecentlyUsed<string>(10, (value, key) => value.length + key.length)
  kept.set('long key', '1')
  kept.set('other', '1')
  assert.deepEqual([kept.get('long key'), kept.get('other')], [undefined, '1'])
  kept.set('b', '1')
  assert.deepEqual([kept.get('other'), kept.get('b')], ['1', '1'])
})
