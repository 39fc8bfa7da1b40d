import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { trashFolderAs } from '../../shared/library/trash/trash-folder.ts'
import { FolderParams } from './schema.ts'

export const moveFolderToTrash = endpoint({
  route: 'POST /folder/{id}/move_to_trash',
  summary: "Move a folder to the caller's trashcan; from there it is deleted for good",
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  returns: Empty,
  async handle({ params, ...by }) {
    await trashFolderAs(by, params.id)
    return {}
  },
})
