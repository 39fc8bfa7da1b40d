import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerSeconds, AnswerUserId } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { signIn as checkCredentials } from '../../shared/library/accounts/sign-in.ts'
import { issueToken } from '../../shared/library/accounts/tokens.ts'

/** Token type of the interface: bound to a user. */
const BOUND_TO_USER = 1

export const signIn = endpoint({
  route: 'POST /authenticate/userpasshmac',
  summary: 'Sign in with username, password and the HMAC of an application',
  description:
    "Gives a token for all other requests. `hmac` is the HMAC-SHA1 of `<key>:<ts>` with the key's secret, in lower-case hex; `ts` " +
    'is at most 300 seconds off, else it is a 401 with the code `clock_skew`. Whatever else is wrong is one and the same 401. Where all ' +
    'is right it is 403 `password_sign_in_off` for members of a company that signs in at providers alone. After ' +
    'ten failures in 15 minutes for a user from one address, or a hundred from the address, it is 429.',
  access: 'anyone',
  uses: { table: 'write', apiSecretsKey: 'read' },
  body: z
    .object({
      username: z.string().meta({ examples: ['anna@example.com'] }),
      password: z.string().meta({ examples: ['correct horse battery staple'] }),
      key: z.string().meta({ examples: ['company2key'] }),
      ts: documentedAs(
        z.union(
          [
            z.number().int(),
            z
              .string()
              .regex(/^\d{1,12}$/)
              .transform(Number),
          ],
          { error: 'must be a whole number, in UNIX seconds' },
        ),
        { type: 'integer', minimum: 0, maximum: 999_999_999_999, examples: [1429187979] },
      ).describe('UNIX seconds, at most 300 off'),
      hmac: z.string().meta({
        description: 'HMAC-SHA1 of `<key>:<ts>` with the secret of the key, in lower-case hex',
        examples: ['7e42196943a343e7494fc2636a3f7313edfcd81f'],
      }),
    })
    .meta({ id: 'Credentials' }),
  maxBodyBytes: 16 * 1024,
  returns: z
    .object({
      token: z.string().meta({ examples: ['uY3zQx0nGZ6nJ0o0Qe2m0b7sJb3rX1y9cV5kT8wLhPA'] }),
      type: z.literal(BOUND_TO_USER),
      ownerIdentifier: AnswerUserId.describe('id of the user'),
      validUntil: AnswerSeconds,
    })
    .meta({ id: 'IssuedToken' }),
  refuses: ['unauthorized', 'forbidden', 'too many'],
  // Hashing a password needs processor time, which Lambda gives in proportion to memory.
  memoryMb: 1024,
  async handle({ body, settings, sourceAddress, ...library }) {
    const { user, key } = await checkCredentials(library, body, sourceAddress)
    const { token, validUntil } = await issueToken(library, user, key, settings.tokenLifetimeDays)
    return { token, type: BOUND_TO_USER, ownerIdentifier: user.userId, validUntil } as const
  },
})
