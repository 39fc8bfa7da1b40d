import * as z from 'zod'
import { endpoint, noContent } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { requestPasswordReset as record } from '../../shared/library/accounts/password-reset-requests.ts'

export const requestPasswordReset = endpoint({
  route: 'POST /authenticate/userpass/reset',
  summary: 'Send a user a code for a new password; the answer never tells whether the user exists',
  access: 'password reset application',
  uses: { table: 'write' },
  body: z.object({ username: z.string() }),
  returns: Empty,
  also: ['no content'],
  async handle({ body, caller, table, clock, baseUrl, requestId }) {
    await record({ table, clock }, { companyId: caller.key.companyId, username: body.username, baseUrl, requestId })
    return noContent()
  },
})
