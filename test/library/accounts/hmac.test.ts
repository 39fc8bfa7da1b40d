import assert from 'node:assert/strict'
import { test } from 'vitest'
import { applicationHmac, clockSkew, verifyApplicationHmac } from '../../../shared/library/accounts/hmac.ts'

const [key, secret, ts] = ['company2key', 'company2secret', 1_429_187_979]
const now = ts * 1000

test('a known key, secret and time give the known HMAC', () => {
  assert.equal(applicationHmac(secret, key, ts), '7e42196943a343e7494fc2636a3f7313edfcd81f')
})

test('an HMAC made a second earlier or later than its ts is taken', () => {
  for (const offset of [-1, 0, 1]) {
    assert.ok(verifyApplicationHmac(secret, { key, ts, hmac: applicationHmac(secret, key, ts + offset) }))
  }
  for (const offset of [-2, 2]) {
    assert.ok(!verifyApplicationHmac(secret, { key, ts, hmac: applicationHmac(secret, key, ts + offset) }))
  }
})

test('a ts more than five minutes away is refused, and by how much it is off is told', () => {
  for (const seconds of [-300, 300]) assert.equal(clockSkew(ts, now + seconds * 1000), undefined)
  assert.match(clockSkew(ts, now + 301_000)?.message ?? '', /301 s behind/)
  assert.match(clockSkew(ts, now - 7_200_000)?.message ?? '', /7200 s ahead of/)
})
