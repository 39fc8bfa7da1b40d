import * as z from 'zod'
import { MAX_PASSWORD_BYTES, MIN_PASSWORD_LENGTH, passwordProblem } from '../../shared/library/accounts/passwords.ts'

/** A password that somebody sets: a user's, or a share link's. */
export const NewPassword = z
  .string()
  .superRefine((password, context) => {
    const problem = passwordProblem(password)
    if (problem) context.addIssue(problem)
  })
  // A character takes up to four bytes of UTF-8.
  .meta({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_BYTES / 4, examples: ['correct horse battery staple'] })
