import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { listShares as list } from '../../shared/library/shares/manage.ts'
import { Share, shownShareJson } from './schema.ts'

export const listShares = endpoint({
  route: 'GET /share',
  summary: 'List share links: your own, and as an admin all of the company',
  description: 'The newest first, with those that ended less than 30 days ago. Its address is told to its maker alone.',
  access: 'user',
  uses: { table: 'read', apiSecretsKey: 'read' },
  returns: z.object({ shares: z.array(Share) }).meta({ id: 'ShareLinks' }),
  askForLess: 'Remove links that have ended.',
  async handle({ baseUrl, ...library }) {
    const shares = await list(library)
    return { shares: await Promise.all(shares.map((counted) => shownShareJson(library, baseUrl, counted))) }
  },
})
