import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, FileNumberText, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { deleteFile as remove } from '../../shared/library/versions/delete-file.ts'

export const deleteFile = endpoint({
  route: 'DELETE /media/{id}/files/{number}',
  summary: 'Delete a former file of a media record for good',
  description:
    'Its number is never used again. The current one is 409 `current_file`, a pinned one 409 `pinned`. Its bytes are freed where no other number has ' +
    'the same. Needs ADMIN on a folder that holds the file. The version stays, and there is no event.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  freesSpace: true,
  params: { id: MediaIdText, number: FileNumberText },
  returns: Empty,
  refuses: ['forbidden', 'conflict'],
  async handle({ params: { id, number }, ...library }) {
    await remove(library, id, number)
    return {}
  },
})
