import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { finishPasswordReset } from '../../shared/library/accounts/password-resets.ts'
import { MIN_PASSWORD_LENGTH, passwordProblem } from '../../shared/library/accounts/passwords.ts'

const Password = z
  .string()
  .superRefine((password, context) => {
    const problem = passwordProblem(password)
    if (problem) context.addIssue(problem)
  })
  .meta({ minLength: MIN_PASSWORD_LENGTH })

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
