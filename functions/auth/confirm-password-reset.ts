import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { finishPasswordReset } from '../../shared/library/accounts/password-resets.ts'
import { MAX_PASSWORD_BYTES } from '../../shared/library/accounts/passwords.ts'

/** Shortest password that a user may choose, in characters (NIST SP 800-63B). */
const MIN_PASSWORD_LENGTH = 8

const Password = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `must be at least ${MIN_PASSWORD_LENGTH} characters`)
  .refine((password) => Buffer.byteLength(password) <= MAX_PASSWORD_BYTES, `must be at most ${MAX_PASSWORD_BYTES} bytes`)

export const confirmPasswordReset = endpoint({
  route: 'POST /authenticate/userpass/reset/confirm',
  summary: 'Set a new password by the code that was e-mailed',
  access: 'anyone',
  uses: { table: 'write' },
  body: z.object({ code: z.string().max(200), password: Password }),
  maxBodyBytes: 16 * 1024,
  returns: Empty,
  memoryMb: 1024,
  async handle({ body, table, clock, sourceAddress }) {
    await finishPasswordReset({ table, clock }, body, sourceAddress)
    return {}
  },
})
