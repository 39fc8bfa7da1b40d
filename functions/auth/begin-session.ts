import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerIsoTime, AnswerUserId } from '../../shared/http/declaration/fields.ts'
import { withCookies } from '../../shared/http/declaration/results.ts'
import { sessionCookie } from '../../shared/http/protocol/cookies.ts'
import { beginSession as begin } from '../../shared/library/accounts/sessions.ts'
import { signInByPassword } from '../../shared/library/accounts/sign-in.ts'
import { issueToken } from '../../shared/library/accounts/tokens.ts'
import { Forbidden } from '../../shared/library/errors.ts'
import { isoTime } from '../../shared/library/time.ts'
import { Session, sessionJson } from './session-schema.ts'

const ProgramToken = z
  .object({
    token: z.string().meta({ examples: ['uY3zQx0nGZ6nJ0o0Qe2m0b7sJb3rX1y9cV5kT8wLhPA'] }),
    user_id: AnswerUserId,
    expires: AnswerIsoTime,
  })
  .meta({ id: 'ProgramToken' })

export const beginSession = endpoint({
  route: 'POST /session',
  summary: "Sign in a page of this host, or one of the library's own programs",
  description:
    'Gives pages of this host a session: a cookie that no script can read, and `csrf`, which requests other than GET repeat in the header ' +
    '`X-Csrf`. A session ends after 8 hours without use, after 7 days in any case, with a new password and when the user is disabled. With `token` ' +
    "the answer is a token instead, without a cookie, for the library's own programs; other programs sign in with their key. A request of a page " +
    'of another site is 403 `cross_site`; the right password of a member of a company that signs in at providers alone is 403 ' +
    '`password_sign_in_off`. Failures count with those of `POST /authenticate/userpasshmac`.',
  access: 'anyone',
  uses: { table: 'write' },
  body: z
    .object({
      username: z.string().meta({ examples: ['anna@example.com'] }),
      password: z.string().meta({ examples: ['correct horse battery staple'] }),
      token: z.boolean().optional().describe('a token instead of a cookie'),
    })
    .meta({ id: 'SessionCredentials' }),
  maxBodyBytes: 16 * 1024,
  returns: z.union([Session, ProgramToken]).meta({ id: 'SessionOrToken' }),
  refuses: ['unauthorized', 'forbidden', 'too many'],
  // Hashing a password needs processor time, as for sign-in.
  memoryMb: 1024,
  async handle({ body, credentials, settings, sourceAddress, ...library }) {
    if (credentials().isCrossSite) throw new Forbidden('Pages of other sites may not sign in here.', 'cross_site')
    const user = await signInByPassword(library, body, sourceAddress)
    if (body.token) {
      const { token, validUntil } = await issueToken(library, user, undefined, settings.tokenLifetimeDays)
      return { token, user_id: user.userId, expires: isoTime(validUntil * 1000) }
    }
    const { secret, session } = await begin(library, user)
    return withCookies(sessionJson(user, session), sessionCookie(secret))
  },
})
