import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { FolderIdText } from '../../shared/http/declaration/fields.ts'
import { changeTags } from '../../shared/library/folders/tags.ts'
import { FolderTags, FolderTagsInput } from './schema.ts'

export const addFolderTags = endpoint({
  route: 'PUT /folder/{id}/tags',
  summary: 'Add tags to a folder: everything in and below it inherits them',
  description:
    'Needs ADMIN on the folder. Answers with all tags of the folder; without READ with those that were sent. ' +
    'A folder has at most 200 tags, of 16 KiB together: a tag that would be one more is a 400 with the code `too_many_tags`.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: FolderIdText },
  body: FolderTagsInput,
  returns: FolderTags,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    return changeTags(library, params.id, body, (tags) => tags.union(new Set(body)))
  },
})
