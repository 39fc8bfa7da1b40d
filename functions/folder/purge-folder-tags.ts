import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { changeTags } from '../../shared/library/folders/tags.ts'
import { FolderParams, FolderTags } from './schema.ts'

export const purgeFolderTags = endpoint({
  route: 'DELETE /folder/{id}/tags/purge',
  summary: 'Remove all tags of a folder',
  description: 'Needs ADMIN on the folder. Answers with the empty list. Inherited tags stay.',
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  returns: FolderTags,
  refuses: ['forbidden'],
  async handle({ params, caller, table, clock }) {
    return changeTags({ table, clock }, new Access(table, caller), { folderId: params.id, sent: [] }, () => new Set())
  },
})
