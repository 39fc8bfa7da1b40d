import type { Secrets } from '../../backends/secrets/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import type { Caller } from '../../library/access/caller.ts'
import { authenticateApplication } from '../../library/accounts/applications.ts'
import { authenticateSession, type SessionTable } from '../../library/accounts/sessions.ts'
import { authenticateToken } from '../../library/accounts/tokens.ts'
import { Forbidden, Unauthorized } from '../../library/errors.ts'
import { type EndpointAccess, schemesOf } from '../declaration/endpoint.ts'
import { misunderstood, parseAuthorization } from '../protocol/authorization.ts'
import { credentialsOf } from '../protocol/credentials.ts'
import type { ApiEvent, Kernel, Middleware } from '../protocol/exchange.ts'

/** Resources of authentication. `apiSecretsKey` is for endpoints that applications may call. */
export interface AuthenticationBackend {
  table: TableReader
  sessions: SessionTable
  apiSecretsKey?: Secrets<'apiSecretsKey'>
}

/** Identifies the caller, and refuses callers who may not use the endpoint. */
export function authenticate(kernel: Kernel, access: EndpointAccess, backend: AuthenticationBackend): Middleware {
  return {
    before: async (request) => {
      const caller = await callerOf(request.event, kernel, access, backend)
      if (!caller) throw new Unauthorized()
      checkAccess(caller, access)
      request.context.exchange.caller = caller
    },
  }
}

/** An authorization counts before a session, also an empty one. */
async function callerOf(
  event: ApiEvent,
  kernel: Kernel,
  access: EndpointAccess,
  backend: AuthenticationBackend,
): Promise<Caller | undefined> {
  const { authorization, session } = credentialsOf(event, kernel)
  if (authorization === undefined && session !== undefined && session !== 'refused') {
    const found = await authenticateSession({ ...backend, clock: kernel.clock }, session.secret)
    if (found) return { kind: 'user', ...found }
  }
  if (access === 'session') throw new Unauthorized('There is no session: sign in.')
  return authorizedCaller(authorization ?? '', kernel, access, backend)
}

async function authorizedCaller(
  value: string,
  { settings: { brand }, clock }: Kernel,
  access: EndpointAccess,
  backend: AuthenticationBackend,
): Promise<Caller | undefined> {
  const authorization = parseAuthorization(value, brand)
  if (!authorization) throw new Unauthorized(misunderstood(value, brand, schemesOf(access)))
  if (authorization.scheme === 'token') {
    const found = await authenticateToken({ ...backend, clock }, authorization.token)
    return found && { kind: 'user', ...found }
  }
  // Endpoints for users have no key to decrypt API secrets with, so they refuse every HMAC.
  if (!backend.apiSecretsKey) throw new Unauthorized('This needs a user: sign in and send the token.')
  const { table, apiSecretsKey } = backend
  const key = await authenticateApplication({ table, apiSecretsKey, clock }, authorization)
  return key && { kind: 'application', key }
}

function checkAccess(caller: Caller, access: EndpointAccess): void {
  if (access === 'password reset application') {
    if (caller.kind !== 'application' || !caller.key.grants.includes('password_reset')) {
      throw new Forbidden('Password reset needs an API key with the password_reset grant.')
    }
  } else if (caller.kind === 'application' && !caller.key.grants.includes('downloads')) {
    throw new Forbidden('This API key has no grant of its own: sign in as a user.')
  }
}
