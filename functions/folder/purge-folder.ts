import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, FolderIdText } from '../../shared/http/declaration/fields.ts'
import { purgeFolder as purge } from '../../shared/library/folders/purge.ts'

export const purgeFolder = endpoint({
  route: 'POST /folder/{id}/purge',
  summary: 'Delete everything in and below a folder, and keep the folder',
  description:
    'Needs ADMIN on the folder; permanent folders can be purged, too: so a trashcan is emptied. Files that are in no other folder ' +
    'are deleted for good.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  freesSpace: true,
  params: { id: FolderIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await purge(library, params.id)
    return {}
  },
})
