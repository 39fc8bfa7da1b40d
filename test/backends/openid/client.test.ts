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
    const providers = openIdClient({ clock: systemClock, http: true, allowed: ['127.0.0.0/8'] })
    assert.equal((await providers.test(server)).keys, 1)
    server.metadata = { jwks_uri: 'http://169.254.169.254/jwks' }
    await assert.rejects(providers.test(server), refused)
  })

  /** A provider, and this service's client of it by a clock that the test moves. */
  async function opened() {
    const server = await startOpenIdServer()
    onTestFinished(() => server[Symbol.asyncDispose]())
    let seconds = 0
    const clock = { ...systemClock, now: () => Date.now() + seconds * 1000 }
    const providers = openIdClient({ clock, http: true, allowed: ['127.0.0.0/8'] })
    const signOn = {
      ...{ callbackUrl: 'http://library.example/callback', state: 'state', nonce: 'nonce', wantsGroups: false },
      verifier: 'v'.repeat(43),
    }
    const begin = () => providers.startUrl(server, signOn)
    return {
      ...{ server, begin },
      advance(by: number) {
        seconds += by
        server.passed += by
      },
      finish: (answer: string) => providers.finish(server, signOn, new URLSearchParams(answer)),
      signOn: async () => {
        const answer = new URL(await server.agree(await begin())).searchParams
        return (await providers.finish(server, signOn, answer)).subject
      },
      logOut: async (...token: Parameters<typeof server.logoutToken>) => providers.readLogout(server, await server.logoutToken(...token)),
      asked: (path: string) => server.requests.splice(0).filter((request) => request === `GET ${path}`).length,
    }
  }

  const METADATA = '/.well-known/openid-configuration'

  test('is asked for its metadata once in five minutes, however many sign-ons anybody begins', async () => {
    const { begin, finish, advance, asked } = await opened()
    await Promise.all([1, 2, 3].map(begin))
    await begin()
    for (const code of ['1', '2']) await assert.rejects(finish(`state=state&code=${code}`), { name: 'SignOnInvalid' })
    assert.equal(asked(METADATA), 1)
    advance(299)
    await begin()
    assert.equal(asked(METADATA), 0)
    advance(2)
    await begin()
    assert.equal(asked(METADATA), 1)
  })

  test('that fails is left alone for ten seconds', async () => {
    const { begin, server, advance, asked } = await opened()
    server.instead = (_, response) => Boolean(response.writeHead(500).end())
    for (let n = 0; n < 3; n++) await assert.rejects(begin(), { name: 'ProviderFailed' })
    assert.equal(asked(METADATA), 1)
    server.instead = undefined
    advance(11)
    await begin()
  })

  test('is asked for its keys once in five minutes, and once more for one that is new', async () => {
    const { signOn, logOut, server, advance, asked } = await opened()
    const sub = 'anna'
    assert.equal(await signOn(), sub)
    assert.equal(await signOn(), sub)
    assert.equal((await logOut({ sub })).subject, sub)
    assert.equal(asked('/jwks'), 1)
    await server.rotate()
    assert.equal(await signOn(), sub)
    assert.equal((await logOut({ sub })).subject, sub)
    assert.equal(asked('/jwks'), 2)
    for (const kid of ['1', '2', '3']) {
      const forged = logOut({ sub }, ({ header }) => void Object.assign(header, { kid }))
      await assert.rejects(forged, { name: 'SignOnInvalid' })
    }
    assert.equal(asked('/jwks'), 0)
    await server.rotate()
    await assert.rejects(logOut({ sub }), { name: 'SignOnInvalid' })
    assert.equal(await signOn(), sub)
    advance(301)
    assert.equal((await logOut({ sub })).subject, sub)
  })
})
