import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, FolderIdText, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { trashMedia } from '../../shared/library/media/place.ts'

export const moveMediaToTrash = endpoint({
  route: 'POST /media/{id}/folder/{folderId}/move_to_trash',
  summary: "Move a file from a folder to the caller's trashcan; from there it is removed for good",
  description:
    'Needs WRITE on the folder. A file that lies in the trashcan already, or in a folder there, is removed for good, as is any that ' +
    'has lain there for 30 days.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: MediaIdText, folderId: FolderIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await trashMedia(library, params.id, params.folderId)
    return {}
  },
})
