import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { redirect, withCookies } from '../../shared/http/declaration/results.ts'
import { sessionCookie, signOnCookie } from '../../shared/http/protocol/cookies.ts'
import { finishSignOn as finish } from '../../shared/library/sign-on/sign-on.ts'
import { CALLBACK_PATH, finishing, REFUSED_PATH } from './schema.ts'

/** The answer of providers (RFC 6749, 4.1.2; RFC 9207). */
const Answer = z.object({
  state: z.string().max(4096).optional(),
  code: z.string().max(4096).optional(),
  iss: z.string().max(2000).optional().describe('who the provider says it is'),
  error: z.string().max(200).optional().describe('why it signs nobody on'),
})

export const finishSignOn = endpoint({
  ...finishing,
  route: 'GET /session/sso/callback',
  summary: 'Come back from a provider',
  description:
    'Where providers send browsers back to. Who the provider vouches for gets a session, as by `POST /session`, and is led to the console. 403 ' +
    'says why somebody gets none: `sign_on_expired` for another browser than the one that began, or after an hour; `sign_on_refused` for what the ' +
    'provider refuses, or what is not its answer to this sign-on; `unknown_person`, `user_disabled`, `email_not_verified`, `domain_not_allowed`, ' +
    '`email_taken`, `email_ambiguous`, `account_of_others`, `username_taken`, `username_missing` for people. A provider at fault is 502 or 504. Browsers (`Accept: text/html`) are led to the sign-in page of the console instead, with the code in ' +
    '`refused`.',
  access: 'anyone',
  query: Answer,
  also: ['redirect'],
  refusedOn: REFUSED_PATH,
  refuses: ['not found', 'conflict'],
  async handle({ query, baseUrl, credentials, ...library }) {
    const answer = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))
    const given = { answer, callbackUrl: baseUrl + CALLBACK_PATH, browser: credentials().signOn }
    const { secret, returnTo } = await finish(library, given)
    return withCookies(redirect(baseUrl + returnTo), sessionCookie(secret), signOnCookie(undefined))
  },
})
