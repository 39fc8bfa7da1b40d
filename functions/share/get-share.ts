import { endpoint } from '../../shared/http/endpoint.ts'
import { getShare as get } from '../../shared/library/shares/manage.ts'
import { Share, shareIdParam, shareJson } from './schema.ts'

export const getShare = endpoint({
  route: 'GET /share/{shareId}',
  summary: 'See a share link, and how often it was used',
  description: 'For its maker, and for admins of the company.',
  access: 'user',
  uses: { table: 'read' },
  params: shareIdParam,
  returns: Share,
  async handle({ params, ...library }) {
    return shareJson(await get(library, params.shareId))
  },
})
