import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { changePassword as change } from '../../shared/library/accounts/change-password.ts'
import { MIN_PASSWORD_LENGTH } from '../../shared/library/accounts/passwords.ts'

export const changePassword = endpoint({
  route: 'POST /session/password',
  summary: "Change one's own password",
  description:
    'All tokens and all sessions but the one that asks end. 403 `wrong_password` counts with failures of sign-in. 400 `weak_password` for fewer than ' +
    `${MIN_PASSWORD_LENGTH} characters, and for the username. 409 \`by_provider\` for who signs on at a provider.`,
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  body: z
    .object({
      current: z.string().meta({ examples: ['correct horse battery staple'] }),
      new: z.string().meta({ minLength: MIN_PASSWORD_LENGTH, maxLength: 256, examples: ['four other words than before'] }),
    })
    .meta({ id: 'PasswordChange' }),
  maxBodyBytes: 16 * 1024,
  returns: Empty,
  refuses: ['forbidden', 'too many'],
  // Hashing a password needs processor time, as for sign-in.
  memoryMb: 1024,
  async handle({ body, access, credentials, sourceAddress, ...library }) {
    const { user, session } = access.caller
    const { session: given } = credentials()
    const own = session && typeof given === 'object' ? given.secret : undefined
    await change(library, user, body, { address: sourceAddress, session: own })
    return {}
  },
})
