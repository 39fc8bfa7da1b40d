import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { shareUrl } from '../../shared/http/declaration/share-link.ts'
import { renewSecret } from '../../shared/library/shares/manage.ts'
import { NewShare, shareIdParam, shareJson } from './schema.ts'

export const renewShareSecret = endpoint({
  route: 'POST /share/{shareId}/secret',
  summary: 'Give a share link a new address',
  description: 'The old one is unknown from then on. For its maker, and for admins of the company.',
  access: 'user',
  uses: { table: 'write', apiSecretsKey: 'read' },
  idempotent: true,
  shownOnce: ['url'],
  params: shareIdParam,
  returns: NewShare,
  async handle({ params, baseUrl, ...library }) {
    const renewed = await renewSecret(library, params.shareId)
    return { ...shareJson(renewed), url: shareUrl(baseUrl, renewed.secret) }
  },
})
