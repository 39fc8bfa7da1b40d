import * as z from 'zod'
import { endpoint, noContent } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { resetEmail, startPasswordReset } from '../../shared/library/accounts/password-resets.ts'
import { findUserByName, isMemberOf } from '../../shared/library/accounts/users.ts'

export const requestPasswordReset = endpoint({
  route: 'POST /authenticate/userpass/reset',
  summary: 'Send a user a code for a new password; the answer never tells whether the user exists',
  access: 'password reset application',
  uses: { table: 'write', mail: 'send' },
  body: z.object({ username: z.string() }),
  returns: Empty,
  also: ['no content'],
  async handle({ body, caller, table, mail, clock, baseUrl, requestId, log }) {
    const user = await findUserByName(table, body.username)
    // A key resets passwords of its own company's users only.
    if (!user || user.disabled || !isMemberOf(user, caller.key.companyId)) return noContent()
    const email = resetEmail(user, await startPasswordReset(table, clock, user), baseUrl, requestId)
    // An answer that depends on the mail would tell which users exist.
    if (email)
      await mail.send(email).catch((error: unknown) => log.error('password reset e-mail was not sent', { user: user.userId, error }))
    else log.warn('password reset for a username that is no e-mail address', { user: user.userId })
    return noContent()
  },
})
