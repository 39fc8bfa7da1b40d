import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, FolderIdText } from '../../shared/http/declaration/fields.ts'
import { trashFolder } from '../../shared/library/trash/trash-folder.ts'

export const moveFolderToTrash = endpoint({
  route: 'POST /folder/{id}/move_to_trash',
  summary: "Move a folder to the caller's trashcan; from there it is deleted for good",
  description:
    'Needs ADMIN on the folder. A folder that lies in the trashcan already is deleted for good, as is any that has lain there for ' +
    '30 days.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: FolderIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await trashFolder(library, params.id)
    return {}
  },
})
