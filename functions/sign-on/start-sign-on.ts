import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { redirect, withCookies } from '../../shared/http/declaration/results.ts'
import { signOnCookie } from '../../shared/http/protocol/cookies.ts'
import { startSignOn as start } from '../../shared/library/sign-on/sign-on.ts'
import { CALLBACK_PATH, providerParams, REFUSED_PATH, ReturnTo } from './schema.ts'

export const startSignOn = endpoint({
  route: 'GET /session/sso/{id}',
  summary: 'Sign on at a provider',
  description:
    'For browsers: leads to the provider, which leads back to `GET /session/sso/callback`. A cookie, good for an hour, binds what comes back to ' +
    'this browser. `return` is the page of the console to show then. A browser (`Accept: text/html`) that is refused is led ' +
    'to the sign-in page of the console, with the code in `refused`.',
  access: 'anyone',
  uses: { table: 'read', apiSecretsKey: 'read', openId: 'use' },
  params: providerParams,
  query: z.object({ return: ReturnTo.describe('path of a page of the console') }),
  also: ['redirect'],
  refusedOn: REFUSED_PATH,
  timeoutSeconds: 10,
  async handle({ params, query, baseUrl, credentials, ...library }) {
    const signOn = { providerId: params.id, callbackUrl: baseUrl + CALLBACK_PATH, returnTo: query.return }
    const { url, browser } = await start(library, signOn, credentials().signOn)
    return withCookies(redirect(url), signOnCookie(browser))
  },
})
