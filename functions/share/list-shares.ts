import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { listShares as list } from '../../shared/library/shares/manage.ts'
import { Share, shareJson } from './schema.ts'

export const listShares = endpoint({
  route: 'GET /share',
  summary: 'List share links: your own, and as an admin all of the company',
  description: 'The newest first, with those that ended less than 30 days ago. Their addresses are not told again.',
  access: 'user',
  uses: { table: 'read' },
  returns: z.object({ shares: z.array(Share) }).meta({ id: 'ShareLinks' }),
  askForLess: 'Remove links that have ended.',
  async handle(library) {
    return { shares: (await list(library)).map(shareJson) }
  },
})
