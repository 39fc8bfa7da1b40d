import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { hashPassword, MAX_PASSWORD_BYTES, verifyPassword } from '../../../shared/library/accounts/passwords.ts'

describe('hashing passwords', () => {
  test('a password matches its own hash only, composed or not', async () => {
    const hash = await hashPassword('pässword')
    assert.ok(await verifyPassword('pa\u0308ssword', hash))
    assert.ok(!(await verifyPassword('password', hash)))
    assert.ok(!(await verifyPassword('pässword', undefined)))
    assert.ok(!(await verifyPassword('x'.repeat(MAX_PASSWORD_BYTES + 1), hash)))
  })
})
