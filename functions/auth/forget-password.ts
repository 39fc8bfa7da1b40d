import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { noContent } from '../../shared/http/declaration/results.ts'
import { forgetPassword as forget } from '../../shared/library/accounts/forgotten-passwords.ts'

export const forgetPassword = endpoint({
  route: 'POST /session/forgot',
  summary: 'Mail an address for choosing a new password; the answer never tells whether the user exists',
  description:
    'The address works once, and for an hour, and earlier ones end. No mail goes to who signs on at a provider, or has no e-mail address, and none beyond ' +
    'five an hour and name. Beyond twenty an hour and source it is 429.',
  access: 'anyone',
  uses: { table: 'write' },
  body: z.object({ username: z.string().meta({ examples: ['anna@example.com'] }) }).meta({ id: 'ForgottenPassword' }),
  maxBodyBytes: 16 * 1024,
  also: ['no content'],
  refuses: ['too many'],
  async handle({ body, sourceAddress, ...library }) {
    await forget(library, body.username, sourceAddress)
    return noContent()
  },
})
