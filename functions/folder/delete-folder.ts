import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { Access } from '../../shared/library/access/access.ts'
import { deleteFolder as remove } from '../../shared/library/folders/folders.ts'
import { FolderParams } from './schema.ts'

export const deleteFolder = endpoint({
  route: 'DELETE /folder/{id}',
  summary: 'Delete a folder with everything below it',
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  returns: Empty,
  async handle({ params, caller, table, clock }) {
    await remove({ table, clock }, new Access(table, caller), params.id)
    return {}
  },
})
