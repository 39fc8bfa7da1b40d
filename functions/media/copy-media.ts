import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, FolderIdText, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { copyMedia as copy } from '../../shared/library/media/place.ts'

export const copyMedia = endpoint({
  route: 'POST /media/{id}/folder/{folderId}',
  summary: 'Copy a file into a folder: adds a pointer',
  description:
    'Adds a pointer; the file is stored once. Needs READ on the file and WRITE on the target. Without WRITE on the file the copy gives READ ' +
    'alone; whoever has WRITE on the file lifts that by copying it to the same folder again. Into a CDN folder, which publishes the file, it needs ' +
    'READ and WRITE there and on another folder that holds the file.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: MediaIdText, folderId: FolderIdText },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await copy(library, params.id, params.folderId)
    return {}
  },
})
