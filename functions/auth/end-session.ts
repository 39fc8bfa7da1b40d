import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { withCookies } from '../../shared/http/declaration/results.ts'
import { parseAuthorization } from '../../shared/http/protocol/authorization.ts'
import { sessionCookie } from '../../shared/http/protocol/cookies.ts'
import { endSession as end } from '../../shared/library/accounts/sessions.ts'
import { authenticateToken, endToken } from '../../shared/library/accounts/tokens.ts'
import { Unauthorized } from '../../shared/library/errors.ts'

export const endSession = endpoint({
  route: 'DELETE /session',
  summary: 'Sign out',
  description:
    'Ends the session of this browser and takes its cookie away; also where there is none. With `Authorization` it ends that token, and leaves ' +
    'sessions alone. 401 for a session whose `X-Csrf` is missing or wrong, for one in a request of a page of another site, and for a token that is not valid.',
  access: 'anyone',
  uses: { table: 'write' },
  freesSpace: true,
  returns: Empty,
  refuses: ['unauthorized'],
  async handle({ credentials, settings: { brand }, ...library }) {
    const { authorization, session } = credentials()
    if (authorization !== undefined) {
      const shown = parseAuthorization(authorization, brand)
      if (shown?.scheme !== 'token' || !(await authenticateToken(library, shown.token))) throw new Unauthorized()
      await endToken(library, shown.token)
      return {}
    }
    if (session === 'refused') throw new Unauthorized('Signing out needs the X-Csrf of the session.')
    if (session) await end(library, session.secret)
    return withCookies({}, sessionCookie(undefined))
  },
})
