import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { authenticateToken } from '../../shared/library/accounts/tokens.ts'

export const validateToken = endpoint({
  route: 'GET /authenticate/simpletoken/{tokenString}',
  summary: 'Tell whether a token is valid',
  description: 'An unknown, expired or revoked token is `invalid`; the status is 200 all the same.',
  access: 'anyone',
  uses: { table: 'read' },
  params: { tokenString: z.string().meta({ minLength: 1, examples: ['uY3zQx0n'] }) },
  returns: z.object({ TokenStatus: z.enum(['valid', 'invalid']) }).meta({ id: 'TokenStatus' }),
  async handle({ params, ...library }) {
    const found = await authenticateToken(library, params.tokenString)
    return { TokenStatus: found ? ('valid' as const) : ('invalid' as const) }
  },
})
