import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { differencesOf, shortened } from '../../../../infra/clients/console/app/versions/differences.ts'

describe('the differences that a step made', () => {
  test('are told by language where a field has some, and only of those that differ', () => {
    const step = {
      changed: ['title', 'keywords', 'byline'],
      before: { title: { en: 'Harbour', da: 'Havn' }, keywords: {}, byline: null },
      after: { title: { en: 'The harbour', da: 'Havn' }, keywords: { en: ['boat'] }, byline: 'Anna Berg' },
    }
    assert.deepEqual(differencesOf(step), [
      { field: 'title', language: 'en', before: 'Harbour', after: 'The harbour' },
      { field: 'keywords', language: 'en', before: undefined, after: ['boat'] },
      { field: 'byline', before: null, after: 'Anna Berg' },
    ])
  })

  test('a point of a picture has no languages', () => {
    const step = { changed: ['focal_point'], before: { focal_point: null }, after: { focal_point: { x: 0.2, y: 0.3 } } }
    assert.deepEqual(differencesOf(step), [{ field: 'focal_point', before: null, after: { x: 0.2, y: 0.3 } }])
  })

  test('a field whose values are not told is there all the same', () => {
    assert.deepEqual(differencesOf({ changed: ['title'], before: {}, after: {} }), [
      { field: 'title', before: undefined, after: undefined },
    ])
  })

  test('long texts are shortened to where they differ', () => {
    const long = 'abcdefghij'.repeat(12)
    assert.deepEqual(shortened('short', 'other'), ['short', 'other'])
    const [one, other] = shortened(`${long} one`, `${long} other`)
    assert.deepEqual([one, other], ['…cdefghijabcdefghij one', '…cdefghijabcdefghij other'])
    assert.deepEqual(shortened(long, ''), [`${'abcdefghij'.repeat(8)}…`, ''])
  })
})
