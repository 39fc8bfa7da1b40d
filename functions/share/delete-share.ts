import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty } from '../../shared/http/declaration/fields.ts'
import { removeShare } from '../../shared/library/shares/manage.ts'
import { shareIdParam } from './schema.ts'

export const deleteShare = endpoint({
  route: 'DELETE /share/{shareId}',
  summary: 'Remove a share link',
  description:
    'Its address is unknown from then on; what was downloaded or sent by it stays. For its maker, and for admins of the company.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  freesSpace: true,
  params: shareIdParam,
  returns: Empty,
  async handle({ params, ...library }) {
    await removeShare(library, params.shareId)
    return {}
  },
})
