import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { AnswerId } from '../../shared/http/fields.ts'
import { signIn as checkCredentials } from '../../shared/library/accounts/sign-in.ts'
import { issueToken } from '../../shared/library/accounts/tokens.ts'

/** Token type of the interface: bound to a user. */
const BOUND_TO_USER = 1

export const signIn = endpoint({
  route: 'POST /authenticate/userpasshmac',
  summary: 'Sign in with username, password and the HMAC of an application',
  access: 'anyone',
  uses: { table: 'write', apiSecretsKey: 'read' },
  body: z.object({
    username: z.string(),
    password: z.string(),
    key: z.string(),
    ts: z
      .union(
        [
          z.number().int(),
          z
            .string()
            .regex(/^\d{1,12}$/)
            .transform(Number),
        ],
        { error: 'must be a whole number, in UNIX seconds' },
      )
      .describe('UNIX seconds'),
    hmac: z.string().describe('HMAC-SHA1 of `<key>:<ts>`, lower-case hex'),
  }),
  maxBodyBytes: 16 * 1024,
  returns: z.object({
    token: z.string(),
    type: z.literal(BOUND_TO_USER),
    ownerIdentifier: AnswerId.describe('id of the user'),
    validUntil: z.number().int().describe('UNIX seconds'),
  }),
  // Hashing a password takes processor time, and memory buys that.
  memoryMb: 1024,
  async handle({ body, table, apiSecretsKey, clock, settings, sourceAddress }) {
    const { user, key } = await checkCredentials({ table, apiSecretsKey, clock }, body, sourceAddress)
    const { token, validUntil } = await issueToken(table, clock, user, key, settings.tokenLifetimeDays)
    return { token, type: BOUND_TO_USER, ownerIdentifier: user.userId, validUntil } as const
  },
})
