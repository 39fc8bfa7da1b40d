import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { refuseAfterFailures, reserveAttempt } from '../../../shared/library/accounts/sign-in-attempts.ts'
import { Busy, TooManyAttempts } from '../../../shared/library/errors.ts'
import { openTestTable } from '../../support/library.ts'

describe('reserved sign-in attempts', () => {
  let library: ReturnType<typeof openTestTable>
  beforeEach(() => {
    library = openTestTable()
    // The middle of a window, so that none ends while a test runs.
    library.clock.ms = 450_000
  })
  const reserve = (username: string, address: string) => reserveAttempt(library, { username, address })
  const fail = async (username: string, address: string) => (await reserve(username, address)).report(false)
  const isRefused = async (username: string, address: string) => {
    const attempts = [() => refuseAfterFailures(library, { username, address }), () => reserve(username, address)]
    for (const attempt of attempts) {
      await assert.rejects(attempt(), (error) => error instanceof TooManyAttempts && error.retryAfter === 450)
    }
  }

  test('an attempt whose process died counts until the window ends', async () => {
    await reserve('dora', '192.0.2.4')
    for (let n = 0; n < 9; n++) await fail('dora', '192.0.2.4')
    await assert.rejects(reserve('dora', '192.0.2.4'), Busy)
    library.clock.ms = 900_000
    await (await reserve('dora', '192.0.2.4')).report(true)
  })

  test('a source is refused after a hundred failures, whoever it tries', async () => {
    for (let n = 0; n < 100; n++) await fail(`user ${n}`, '192.0.2.5')
    await isRefused('another user', '192.0.2.5')
  })

  test('an IPv6 /64 is one source, in every spelling, and so is an IPv4 address that is mapped into IPv6', async () => {
    for (let n = 0; n < 10; n++) await fail('emil', `2001:DB8:0:1::${n}`)
    await isRefused('emil', '2001:db8::1:ffff:0:0:1')
    await fail('emil', '2001:db8:0:2::1')
    for (let n = 0; n < 10; n++) await fail('emil', '::ffff:192.0.2.6')
    await isRefused('emil', '192.0.2.6')
  })

  test('who changes the /64 with every attempt meets the limits of the /48', async () => {
    for (let n = 0; n < 50; n++) await fail('fritz', `2001:db8:f:${n.toString(16)}::1`)
    await isRefused('fritz', '2001:db8:f:ffff::1')
    await fail('fritz', '2001:db8:e::1')
  })
})
