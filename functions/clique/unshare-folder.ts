import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { Access } from '../../shared/library/access/access.ts'
import { unshareFolder as unshare } from '../../shared/library/cliques/shares.ts'
import { SharedFolderParams } from './schema.ts'

export const unshareFolder = endpoint({
  route: 'DELETE /clique/{id}/folder/{folderId}',
  summary: 'Stop sharing a folder with a clique',
  description: 'For admins of the company. What the share gave ends with the next request.',
  access: 'user',
  uses: { table: 'write' },
  params: SharedFolderParams,
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, caller, table }) {
    await unshare(table, new Access(table, caller), params.id, params.folderId)
    return {}
  },
})
