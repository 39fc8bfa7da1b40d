import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Line } from '../../../functions/media/schema.ts'
import { SearchQuery } from '../../../functions/search/search-query.ts'

const searchWith = (query: Record<string, string>) => SearchQuery.parse({ return_values: 'title', ...query })

/** Forms that the API document promises and that are easily forgotten. */
describe('what the API document allows', () => {
  test('times are RFC 3339: with small letters, fractions, offsets and leap seconds', () => {
    for (const [text, iso] of [
      ['2026-05-17t09:30:00z', '2026-05-17T09:30:00.000Z'],
      ['2026-05-17T09:30:00.25+02:00', '2026-05-17T07:30:00.250Z'],
      ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ] as const) {
      assert.equal(new Date(searchWith({ min_date: text }).min_date!).toISOString(), iso)
    }
    assert.throws(() => searchWith({ min_date: '2026-05-17T09:30:61Z' }))
  })

  test('a time that is none is one problem', () => {
    for (const text of ['x', '2025-02-30T00:00:00Z', '2026-05-17T09:30:61Z']) {
      const { error } = SearchQuery.safeParse({ return_values: 'title', min_date: text, max_date: text })
      assert.deepEqual(error?.issues.map(({ path }) => path.join()).sort(), ['max_date', 'min_date'], text)
    }
  })

  test('numbers are as programs write them, very small ones too', () => {
    assert.equal(searchWith({ latitude: '1e-7' }).latitude, 1e-7)
    assert.equal(searchWith({ longitude: '-1.5E+1' }).longitude, -15)
    assert.throws(() => searchWith({ latitude: '9e9' }))
  })

  test('lengths count characters, not halves of them', () => {
    assert.equal(Line.parse('📷'.repeat(5_000)).length, 10_000)
    assert.throws(() => Line.parse('📷'.repeat(5_001)))
  })
})
