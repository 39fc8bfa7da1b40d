import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, FolderIdText, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { removeMedia as remove } from '../../shared/library/media/place.ts'

export const removeMedia = endpoint({
  route: 'DELETE /media/{id}/folder/{folderId}',
  summary: 'Remove a file from a folder; without any folder left it is deleted for good',
  description: 'Needs WRITE on the folder. A file whose last folder this was is deleted for good.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  freesSpace: true,
  params: { id: MediaIdText, folderId: FolderIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await remove(library, params.id, params.folderId)
    return {}
  },
})
