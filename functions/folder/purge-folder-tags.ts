import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { changeTags } from '../../shared/library/folders/tags.ts'
import { FolderParams, FolderTags } from './schema.ts'

export const purgeFolderTags = endpoint({
  route: 'DELETE /folder/{id}/tags/purge',
  summary: 'Remove all tags of a folder',
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  returns: FolderTags,
  async handle({ params, caller, table, clock }) {
    return changeTags({ table, clock }, new Access(table, caller), params.id, () => new Set())
  },
})
