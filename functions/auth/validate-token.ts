import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { authenticateToken } from '../../shared/library/accounts/tokens.ts'

export const validateToken = endpoint({
  route: 'GET /authenticate/simpletoken/{tokenString}',
  summary: 'Tell whether a token is valid',
  access: 'anyone',
  uses: { table: 'read' },
  params: z.object({ tokenString: z.string() }),
  returns: z.object({ TokenStatus: z.enum(['valid', 'invalid']) }),
  async handle({ params, table, clock }) {
    const found = await authenticateToken(table, clock, params.tokenString)
    return { TokenStatus: found ? ('valid' as const) : ('invalid' as const) }
  },
})
