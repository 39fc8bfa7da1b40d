import assert from 'node:assert/strict'
import { describe, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { openIdClient } from '../../../shared/backends/openid/client.ts'
import { startOpenIdServer } from '../../support/openid-server.ts'

const refused = { name: 'ProviderFailed', message: /is in a network that is not allowed/ }

describe('a provider of sign-on', () => {
  test('is not asked in a network that is not public, and leads to none', async () => {
    const strict = openIdClient({ clock: systemClock })
    for (const host of ['localhost', '2130706433']) {
      const provider = { issuer: `https://${host}`, clientId: 'library', clientSecret: 'secret' }
      await assert.rejects(strict.test(provider), refused, host)
    }
    const server = await startOpenIdServer()
    onTestFinished(() => server[Symbol.asyncDispose]())
    const providers = openIdClient({ clock: systemClock, http: true, allow: ['127.0.0.0/8'] })
    assert.equal((await providers.test(server)).keys, 1)
    server.metadata = { jwks_uri: 'http://169.254.169.254/jwks' }
    await assert.rejects(providers.test(server), refused)
  })
})
