import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CliqueIdText, Empty, FolderIdText } from '../../shared/http/declaration/fields.ts'
import { unshareFolder as unshare } from '../../shared/library/cliques/shares.ts'

export const unshareFolder = endpoint({
  route: 'DELETE /clique/{id}/folder/{folderId}',
  summary: 'Stop sharing a folder with a clique',
  description: 'For admins of the company. What the share gave ends with the next request.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: CliqueIdText, folderId: FolderIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await unshare(library, params.id, params.folderId)
    return {}
  },
})
