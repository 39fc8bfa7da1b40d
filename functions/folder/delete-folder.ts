import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { Access } from '../../shared/library/access/access.ts'
import { deleteFolder as remove } from '../../shared/library/folders/folders.ts'
import { FolderParams } from './schema.ts'

export const deleteFolder = endpoint({
  route: 'DELETE /folder/{id}',
  summary: 'Delete a folder with everything below it',
  description:
    'Needs ADMIN on the folder. It is gone from every answer at once with all below it; a job removes the contents. Files that are ' +
    'in no other folder are deleted for good.',
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, caller, table, clock }) {
    await remove({ table, clock }, new Access(table, caller), params.id)
    return {}
  },
})
