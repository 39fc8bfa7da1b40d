import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { keywordsOf } from '../../../shared/library/suggestions/keywords-of.ts'

const suggest = (...given: [keyword: string, confidence: number][]) =>
  keywordsOf(given.map(([keyword, confidence]) => ({ keyword, confidence })))

describe('the keywords that a file gets of what was suggested', () => {
  test('are twenty at most', () => {
    const many = Array.from({ length: 50 }, (_, n): [string, number] => [`Keyword ${n}`, 80 + n / 10])
    assert.deepEqual(suggest(...many)[0], 'Keyword 49')
    assert.equal(suggest(...many).length, 20)
  })

  test('stand once each, whatever their case and white space', () => {
    assert.deepEqual(suggest(['boat', 90], [' Boat ', 99], ['BOAT', 85], ['e\u0301', 84], ['\u00e9', 83]), ['Boat', '\u00e9'])
  })

  test('are keywords whatever was suggested', () => {
    const suggestion = fc.record({ keyword: fc.string({ unit: 'binary' }), confidence: fc.double() })
    fc.assert(
      fc.property(fc.array(suggestion, { maxLength: 60 }), (suggestions) => {
        const keywords = keywordsOf(suggestions)
        assert.ok(keywords.length <= 20)
        assert.equal(new Set(keywords.map((keyword) => keyword.toLowerCase())).size, keywords.length)
        for (const keyword of keywords) assert.equal(keyword, keyword.trim().normalize('NFC'))
      }),
    )
  })
})
