import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { hasTag, httpDate, isUnchanged, versionHeaders } from '../../../shared/http/protocol/conditional-requests.ts'

const version = { etag: '"7"', modified: Date.parse('1994-11-06T08:49:37.890Z') }

describe('whether a client has a version', () => {
  test('follows from its date, in all forms of dates that HTTP has', () => {
    for (const date of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])
      assert.equal(isUnchanged({ 'if-modified-since': date }, version), true, date)
    assert.equal(isUnchanged({ 'if-modified-since': 'Sun, 06 Nov 1994 08:49:38 GMT' }, version), true)
    assert.equal(isUnchanged({ 'if-modified-since': 'Sun, 06 Nov 1994 08:49:36 GMT' }, version), false)
  })

  test('does not follow from what is no date of HTTP', () => {
    for (const date of ['', 'yesterday', '2099', '2099-01-01T00:00:00Z', '4102444800', 'Sun, 99 Nov 2099 08:49:37 GMT'])
      assert.equal(isUnchanged({ 'if-modified-since': date }, version), false, date)
    assert.equal(isUnchanged({}, version), false)
  })

  test('follows from a tag alone, where it has one', () => {
    const since = { 'if-modified-since': 'Sun, 06 Nov 2094 08:49:37 GMT' }
    assert.equal(isUnchanged({ 'if-none-match': '"6"', ...since }, version), false)
    assert.equal(isUnchanged({ 'if-none-match': 'W/"7"', 'if-modified-since': 'Sun, 06 Nov 1894 08:49:37 GMT' }, version), true)
  })
})

test('a list names tags, weak and strong, with commas in them, too', () => {
  const list = '"a", W/"0,0,1,1" ,"b"'
  for (const tag of ['"a"', '"0,0,1,1"', 'W/"b"']) assert.ok(hasTag(list, tag), tag)
  for (const tag of ['"0"', '"1"', '"c"', '", "']) assert.ok(!hasTag(list, tag), tag)
  assert.ok(hasTag(' * ', '"a"'))
  assert.ok(!hasTag('a, b', '"a"'))
})

test('the date of a version is one that clients send back', () => {
  const { 'last-modified': date = '' } = versionHeaders(version)
  assert.equal(httpDate(date), Date.parse('1994-11-06T08:49:37Z'))
})
