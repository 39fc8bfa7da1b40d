import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { changeTags } from '../../shared/library/folders/tags.ts'
import { FolderTags } from './schema.ts'

export const purgeFolderTags = endpoint({
  route: 'DELETE /folder/{id}/tags/purge',
  summary: 'Remove all tags of a folder',
  description: 'Needs ADMIN on the folder. Answers with the empty list. Inherited tags stay.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: FolderIdText },
  returns: FolderTags,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    return changeTags(library, params.id, [], () => new Set())
  },
})
