import * as z from 'zod'
import { ProviderIdText } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'

/** The address to which providers send browsers back: one for all, below that of the API. Operators register it there. */
export const CALLBACK_PATH = '/session/sso/callback'

/** Page of the console that says why somebody can't sign on. */
export const REFUSED_PATH = '/console/sign-in'

/** The resources of endpoints that hear of people from providers: one function on AWS. It asks a provider four things at most, one after the other. */
export const finishing = {
  answeredBy: 'finish-sign-on',
  uses: { table: 'write', apiSecretsKey: 'read', openId: 'use' },
  timeoutSeconds: 25,
} as const

/** The address for a provider's logouts, below that of the API. */
export const logoutPath = (providerId: number): string => `/session/sso/${providerId}/logout`

export const providerParams = { id: ProviderIdText }

/** Page of the console. */
const HOME = '/console/'

/** A page of the console, as browsers write its address: nothing else of this host, and no other host. */
export const ReturnTo = documentedAs(
  z
    .string()
    .max(2000)
    .transform((text) => {
      const { origin, pathname, search, hash } = URL.parse(text, 'https://host.example') ?? {}
      return origin === 'https://host.example' ? `${pathname}${search}${hash}` : ''
    })
    .refine((path) => path.startsWith(HOME), 'must be the path of a page of the console'),
  { type: 'string', maxLength: 2000, pattern: `^${HOME}[A-Za-z0-9/?=&_~-]*$` },
)
  .default(HOME)
  .meta({ examples: ['/console/folder/17'] })
