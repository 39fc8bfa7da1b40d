import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, FolderIdText } from '../../shared/http/declaration/fields.ts'
import { deleteFolder as remove } from '../../shared/library/folders/folders.ts'

export const deleteFolder = endpoint({
  route: 'DELETE /folder/{id}',
  summary: 'Delete a folder with everything below it',
  description:
    'Needs ADMIN on the folder. It is gone from every answer at once with all below it; a job removes the contents. Files that are ' +
    'in no other folder are deleted for good.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  freesSpace: true,
  params: { id: FolderIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await remove(library, params.id)
    return {}
  },
})
