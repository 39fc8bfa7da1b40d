import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { changeTags } from '../../shared/library/folders/tags.ts'
import { FolderParams, FolderTags, FolderTagsInput } from './schema.ts'

export const removeFolderTags = endpoint({
  route: 'DELETE /folder/{id}/tags',
  summary: 'Remove tags from a folder',
  description: 'Needs ADMIN on the folder. Tags are compared as they are written. Answers with the tags that are left.',
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  body: FolderTagsInput,
  returns: FolderTags,
  refuses: ['forbidden'],
  async handle({ params, body, caller, table, clock }) {
    return changeTags({ table, clock }, new Access(table, caller), { folderId: params.id, sent: body }, (tags) =>
      tags.difference(new Set(body)),
    )
  },
})
