import assert from 'node:assert/strict'
import { describe, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { openIdClient } from '../../../shared/backends/openid/client.ts'
import { loopbackSpellings, refusedAddresses, urlHost } from '../../support/network-addresses.ts'
import { startOpenIdServer } from '../../support/openid-server.ts'

const refused = { name: 'ProviderFailed', message: /is in a network that is not allowed/ }

describe('a provider of sign-on', () => {
  test('is not asked in a network that is not public', async () => {
    const providers = openIdClient({ clock: systemClock })
    for (const host of ['localhost', ...loopbackSpellings, ...refusedAddresses.map(urlHost)]) {
      const provider = { issuer: `https://${host}`, clientId: 'library', clientSecret: 'secret' }
      await assert.rejects(providers.test(provider), refused, host)
    }
  })

  test('leads to no network that is not public', async () => {
    const server = await startOpenIdServer()
    onTestFinished(() => server[Symbol.asyncDispose]())
    const providers = openIdClient({ clock: systemClock, http: true, allow: ['127.0.0.0/8'] })
    assert.equal((await providers.test(server)).keys, 1)
    for (const address of refusedAddresses.filter((each) => !each.endsWith('127.0.0.1'))) {
      server.metadata = { jwks_uri: `http://${urlHost(address)}/jwks` }
      await assert.rejects(providers.test(server), refused, address)
    }
  })
})
