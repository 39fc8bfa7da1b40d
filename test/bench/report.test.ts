import assert from 'node:assert/strict'
import { test } from 'vitest'
import { report } from './report.ts'
import { median, percentile } from './timing.ts'

test('a number within its target is met, one past it is missed', () => {
  const lines = report([
    { what: 'fast', value: 1.234, unit: 'ms', atMost: 2 },
    { what: 'too slow', value: 2.5, unit: 'ms', atMost: 2 },
    { what: 'plenty', value: 61.25, unit: '1/s', atLeast: 60 },
    { what: 'too few', value: 59, unit: '1/s', atLeast: 60 },
  ]).split('\n')
  assert.deepEqual(
    lines.map((line) => line.split(/\s{2,}/)),
    [
      ['fast', '1.23', 'ms', '<= 2', 'met'],
      ['too slow', '2.50', 'ms', '<= 2', 'MISSED'],
      ['plenty', '61.3', '1/s', '>= 60', 'met'],
      ['too few', '59', '1/s', '>= 60', 'MISSED'],
    ],
  )
})

test('a number without a target has no verdict, and columns stand below each other', () => {
  assert.equal(
    report([
      { what: 'index', value: 1500, unit: 'bytes' },
      { what: 'a ratio', value: 0.5, unit: '' },
    ]),
    'index    1500  bytes\na ratio  0.50',
  )
})

test('percentiles are numbers that were measured', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([4, 1, 3, 2]), 2)
  assert.equal(percentile([1, 2, 3], 0), 1)
  assert.equal(percentile([1, 2, 3], 1), 3)
})
