import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { changeTags } from '../../shared/library/folders/tags.ts'
import { FolderParams, FolderTags, FolderTagsInput } from './schema.ts'

export const addFolderTags = endpoint({
  route: 'PUT /folder/{id}/tags',
  summary: 'Add tags to a folder: everything in and below it inherits them',
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  body: FolderTagsInput,
  returns: FolderTags,
  async handle({ params, body, caller, table, clock }) {
    return changeTags({ table, clock }, new Access(table, caller), params.id, (tags) => tags.union(new Set(body)))
  },
})
