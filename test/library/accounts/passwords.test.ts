import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { HASHES_AT_ONCE } from '../../../shared/library/accounts/hashing-turns.ts'
import { hashPassword, MAX_PASSWORD_BYTES, verifyPassword } from '../../../shared/library/accounts/passwords.ts'

/** Threads that Node has for files and hashes together where nobody says otherwise. */
const NODES_OWN = 4

describe('hashing passwords', () => {
  test('a password matches its own hash only, composed or not', async () => {
    const hash = await hashPassword('pässword')
    assert.ok(await verifyPassword('pa\u0308ssword', hash))
    assert.ok(!(await verifyPassword('password', hash)))
    assert.ok(!(await verifyPassword('pässword', undefined)))
    assert.ok(!(await verifyPassword('x'.repeat(MAX_PASSWORD_BYTES + 1), hash)))
  })

  test('leaves files as many threads of the server as they have without it', () => {
    const [, threads] = /UV_THREADPOOL_SIZE=(\d+) /.exec(packageJson.scripts.start) ?? []
    assert.equal(Number(threads), NODES_OWN + HASHES_AT_ONCE)
  })
})
