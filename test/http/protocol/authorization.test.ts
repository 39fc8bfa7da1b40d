import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { parseAuthorization } from '../../../shared/http/protocol/authorization.ts'
import { decodeQueryAuthorization } from '../../../shared/http/protocol/credentials.ts'

test('the token scheme', () => {
  assert.deepEqual(parseAuthorization('SVC-SIMPLE-TOKEN Token=abc_-', 'SVC'), { scheme: 'token', token: 'abc_-' })
  assert.deepEqual(parseAuthorization('  svc-simple-token   token="abc"', 'SVC'), { scheme: 'token', token: 'abc' })
  assert.deepEqual(parseAuthorization('SVC-SIMPLE-TOKEN Token=abc==', 'SVC'), { scheme: 'token', token: 'abc==' })
})

test('the HMAC scheme, parameters in any order', () => {
  const expected = { scheme: 'hmac', key: 'k', hmac: 'ff', ts: 12 }
  assert.deepEqual(parseAuthorization('SVC-HMAC Key=k HMAC=ff TS=12', 'SVC'), expected)
  assert.deepEqual(parseAuthorization('SVC-HMAC TS=12, HMAC=ff, Key=k', 'SVC'), expected)
})

test('another brand, another scheme, missing or malformed parameters are no authorization', () => {
  for (const value of [
    ...['', ' ', 'Token=abc', 'Bearer abc', 'CBX-SIMPLE-TOKEN Token=abc', 'SVC-SIMPLE-TOKEN', 'SVC-SIMPLE-TOKEN Token='],
    ...['SVC-HMAC Key=k HMAC=ff', 'SVC-HMAC Key=k HMAC=ff TS=soon', 'SVC-HMAC Key=k HMAC=ff TS=-1'],
    `SVC-SIMPLE-TOKEN Token=${'x'.repeat(3000)}`,
  ])
    assert.equal(parseAuthorization(value, 'SVC'), undefined, value)
})

test('the query parameter is base64 of the whole header, in either alphabet, padded or not, plus signs unharmed or not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), (value) => {
      const base64 = Buffer.from(value).toString('base64')
      for (const form of [base64, base64.replaceAll('=', ''), base64.replaceAll('+', ' '), Buffer.from(value).toString('base64url')]) {
        assert.equal(decodeQueryAuthorization(form), value)
      }
    }),
  )
})
