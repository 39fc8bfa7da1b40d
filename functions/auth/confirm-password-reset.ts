import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { finishPasswordReset } from '../../shared/library/accounts/password-resets.ts'
import { NewPassword } from './new-password.ts'

export const confirmPasswordReset = endpoint({
  route: 'POST /authenticate/userpass/reset/confirm',
  summary: 'Set a new password by the code that was e-mailed',
  description:
    'The code is good once and for an hour. All tokens of the user end. A code that is wrong, used or expired is a 400 with the ' +
    'code `wrong_code`.',
  access: 'anyone',
  uses: { table: 'write' },
  body: z
    .object({
      code: z
        .string()
        .max(200)
        .meta({ pattern: '^[A-Za-z0-9_-]+$', examples: ['kR8q2vYx'] }),
      password: NewPassword,
    })
    .meta({ id: 'NewPassword' }),
  maxBodyBytes: 16 * 1024,
  returns: Empty,
  refuses: ['conflict', 'too many'],
  memoryMb: 1024,
  async handle({ body, sourceAddress, ...library }) {
    await finishPasswordReset(library, body, sourceAddress)
    return {}
  },
})
