import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { FolderTags } from './schema.ts'

export const getFolderTags = endpoint({
  route: 'GET /folder/{id}/tags',
  summary: "List a folder's own tags",
  description: 'The tags that were given to this folder, without those that it inherits. Needs READ.',
  access: 'user',
  uses: { table: 'read' },
  params: { id: FolderIdText },
  returns: FolderTags,
  refuses: ['forbidden'],
  async handle({ params, access }) {
    return (await access.folderWith('READ', params.id)).tags
  },
})
