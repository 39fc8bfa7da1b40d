import { formField } from '../../shared/http/declaration/bodies.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { LogoutRefused, logOutByProvider as logOut } from '../../shared/library/sign-on/provider-logout.ts'
import { finishing, providerParams } from './schema.ts'

export const logOutByProvider = endpoint({
  ...finishing,
  route: 'POST /session/sso/{id}/logout',
  summary: 'Take a logout of a provider',
  description:
    'For providers (OpenID Connect Back-Channel Logout 1.0), at the address that `admin sso add` prints. Sessions of people who signed on there ' +
    'are over at once: with `sid` that one, with `sub` alone all of the person. 400 with `error` and `error_description` besides for a token that ' +
    'is not valid, was taken before, or whose keys the provider does not answer.',
  access: 'anyone',
  params: providerParams,
  body: formField('logout_token', 16 * 1024, (message) => new LogoutRefused(message)),
  returns: Empty,
  refuses: ['conflict'],
  async handle({ params, body, ...library }) {
    await logOut(library, { providerId: params.id, token: body })
    return {}
  },
})
