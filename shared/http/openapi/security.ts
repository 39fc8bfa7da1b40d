import { TOLERANCE_SECONDS } from '../../library/accounts/hmac.ts'
import type { EndpointAccess } from '../declaration/endpoint.ts'
import type { Method } from '../declaration/route.ts'

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
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-session',
      description:
        'The cookie that `POST /session` gives pages of this host (on plain HTTP it is called `session`). It counts in requests of pages of this very ' +
        'host, and with an `Authorization` header not at all, not even with an empty one.',
    },
    csrf: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Csrf',
      description: 'The `csrf` of the session: what changes something needs it beside the cookie.',
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
  session: [],
  user: ['token'],
  'share link': [],
  'user or application': ['token', 'hmac'],
  'password reset application': ['hmac'],
}

/** An operation's `security`: any one of the schemes is enough. Empty where anyone may call. */
export function securityOf(access: EndpointAccess, method: Method): Record<string, string[]>[] {
  const schemes = schemesOf[access]
  const inQuery = schemes.length > 0 && method === 'GET' ? ['authorizationParameter'] : []
  return [...[...schemes, ...inQuery].map((scheme) => ({ [scheme]: [] })), ...sessionOf(access, method)]
}

/** A session, with `csrf` where the operation may change something. */
function sessionOf(access: EndpointAccess, method: Method): Record<string, string[]>[] {
  if (access === 'anyone' || access === 'share link' || access === 'password reset application') return []
  return [method === 'GET' ? { sessionCookie: [] } : { sessionCookie: [], csrf: [] }]
}
