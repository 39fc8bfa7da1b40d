import { TOLERANCE_SECONDS } from '../../library/accounts/hmac.ts'
import type { EndpointAccess } from '../endpoint.ts'
import type { Method } from '../route.ts'

/** How callers authorize themselves, by the names that operations use. */
export function securitySchemes(brand: string) {
  return {
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: `\`${brand}-SIMPLE-TOKEN Token=<token>\`, with the token that signing in gave: the caller acts as that user.`,
    },
    hmac: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        `\`${brand}-HMAC Key=<key> HMAC=<hmac> TS=<ts>\`: the caller acts as an application, with what its key was granted. \`ts\` are UNIX seconds, ` +
        `at most ${TOLERANCE_SECONDS} seconds off the service's clock; \`hmac\` is the HMAC-SHA1 of \`<key>:<ts>\` with the key's secret, in lower-case hex.`,
    },
    authorizationParameter: {
      type: 'apiKey',
      in: 'query',
      name: 'Authorization',
      description:
        'The value of the `Authorization` header in base64, of any scheme that the operation takes, for URLs that carry their authorization. ' +
        'GET only; the header counts where there are both.',
    },
  }
}

const schemesOf: Record<EndpointAccess, readonly string[]> = {
  anyone: [],
  user: ['token'],
  'user or application': ['token', 'hmac'],
  'password reset application': ['hmac'],
}

/** An operation's `security`: any one of the schemes is enough. Empty where anyone may call. */
export function securityOf(access: EndpointAccess, method: Method): Record<string, string[]>[] {
  const schemes = schemesOf[access]
  const inQuery = schemes.length > 0 && method === 'GET' ? ['authorizationParameter'] : []
  return [...schemes, ...inQuery].map((scheme) => ({ [scheme]: [] }))
}
