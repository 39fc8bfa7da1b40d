import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { noContent } from '../../shared/http/declaration/results.ts'
import { requestPasswordReset as record } from '../../shared/library/accounts/password-reset-requests.ts'

export const requestPasswordReset = endpoint({
  route: 'POST /authenticate/userpass/reset',
  summary: 'Send a user a code for a new password; the answer never tells whether the user exists',
  description:
    "Needs a key that was granted `password_reset`, and sends the e-mail to users of the key's company only. The answer is the same " +
    'whether or not the user exists.',
  access: 'password reset application',
  uses: { table: 'write' },
  idempotent: true,
  body: z.object({ username: z.string().meta({ examples: ['anna@example.com'] }) }).meta({ id: 'PasswordReset' }),
  also: ['no content'],
  async handle({ body, access, baseUrl, requestId, ...library }) {
    await record(library, { companyId: access.caller.key.companyId, username: body.username, baseUrl, requestId })
    return noContent()
  },
})
