import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty } from '../../shared/http/fields.ts'
import { Access } from '../../shared/library/access/access.ts'
import { purgeFolder as purge } from '../../shared/library/folders/purge.ts'
import { FolderParams } from './schema.ts'

export const purgeFolder = endpoint({
  route: 'POST /folder/{id}/purge',
  summary: 'Delete everything in and below a folder, and keep the folder',
  description:
    'Needs ADMIN on the folder; permanent folders can be purged, too: so a trashcan is emptied. Files that are in no other folder ' +
    'are deleted for good.',
  access: 'user',
  uses: { table: 'write' },
  params: FolderParams,
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, caller, table, clock }) {
    await purge({ table, clock }, new Access(table, caller), params.id)
    return {}
  },
})
