import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { day, timestamp } from '../../shared/library/time.ts'

test('a time is shown in UTC, in whole seconds, each part with its zeros', () => {
  assert.equal(timestamp(Date.UTC(2024, 1, 9, 3, 4, 5, 999)), '2024-02-09 03:04:05')
  assert.equal(timestamp(Date.UTC(2024, 11, 31, 23, 59, 59)), '2024-12-31 23:59:59')
})

test('it is the ISO form of the same time, and its day begins it', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      assert.equal(timestamp(date.getTime()), date.toISOString().slice(0, 19).replace('T', ' '))
      assert.ok(timestamp(date.getTime()).startsWith(`${day(date.getTime())} `))
    }),
  )
})
