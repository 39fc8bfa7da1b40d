import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { FolderParams, FolderTags } from './schema.ts'

export const getFolderTags = endpoint({
  route: 'GET /folder/{id}/tags',
  summary: "List a folder's own tags",
  description: 'The tags that were given to this folder, without those that it inherits. Needs READ.',
  access: 'user',
  uses: { table: 'read' },
  params: FolderParams,
  returns: FolderTags,
  refuses: ['forbidden'],
  async handle({ params, caller, table }) {
    return (await new Access(table, caller).folderWith('READ', params.id)).tags
  },
})
