import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { changeTags } from '../../shared/library/folders/tags.ts'
import { FolderTags, FolderTagsInput } from './schema.ts'

export const removeFolderTags = endpoint({
  route: 'DELETE /folder/{id}/tags',
  summary: 'Remove tags from a folder',
  description: 'Needs ADMIN on the folder. Tags are compared as they are written. Answers with the tags that are left.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: FolderIdText },
  body: FolderTagsInput,
  returns: FolderTags,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    return changeTags(library, params.id, body, (tags) => tags.difference(new Set(body)))
  },
})
