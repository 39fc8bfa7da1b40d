import assert from 'node:assert/strict'
import { UnsecuredJWT } from 'jose'
import { logoutPath } from '../../functions/sign-on/schema.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import type { OpenIdProviders } from '../../shared/backends/openid/port.ts'
import { hostCookieName } from '../../shared/http/cookies.ts'
import { SIGN_ON_COOKIE } from '../../shared/http/session-cookie.ts'
import { createProvider } from '../../shared/library/accounts/providers.ts'
import { startSignOn } from '../../shared/library/sign-on/sign-on.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import type { World } from '../support/successes.ts'

/** Sign-ons at a provider whose address nobody has: functions do all but what follows its answer. */
export async function signOn({ accounts, service }: World): Promise<void> {
  const choices = { domains: [], usernameClaim: 'email', groups: [], createUsers: true, joinByEmail: false }
  const client = { clientId: 'library', clientSecret: 'a secret of the client' }
  const input = { companyId: service.demo.company_id, name: 'Nobody', issuer: 'https://login.example.invalid', ...client, ...choices }
  const { providerId } = await createProvider(accounts.library, input)
  assert.equal((await service.request(`/session/sso/${providerId}`)).status, 502)

  let state = ''
  const openId: Pick<OpenIdProviders, 'startUrl'> = {
    async startUrl(_provider, asked) {
      state = asked.state
      return 'https://login.example.invalid/'
    },
  }
  const library = { ...accounts.library, clock: systemClock, log: jsonLog(() => undefined), openId: openId as OpenIdProviders }
  const begun = { providerId, callbackUrl: `${service.baseUrl}/session/sso/callback`, returnTo: '/console/' }
  const { browser } = await startSignOn(library, begun, undefined)
  const path = `/session/sso/callback?${new URLSearchParams({ state, code: 'code' })}`
  assert.equal((await service.request(path, { headers: { cookie: `${hostCookieName(SIGN_ON_COOKIE, true)}=${browser}` } })).status, 502)

  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = { iss: input.issuer, aud: client.clientId, sub: 'anna', jti: 'logout', exp: 4_000_000_000, events }
  const body = new URLSearchParams({ logout_token: new UnsecuredJWT(claims).encode() })
  assert.equal((await service.request(logoutPath(providerId), { method: 'POST', body })).status, 400)
}
