import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, FolderIdJson, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { moveMedia as move } from '../../shared/library/media/place.ts'

export const moveMedia = endpoint({
  route: 'POST /media/{id}/move',
  summary: 'Move a file from one folder to another',
  description:
    "Needs WRITE on both folders. A copy that gives READ alone stays one. 404 where the first doesn't hold the file. Into a CDN folder, which " +
    'publishes the file, it needs READ and WRITE there and on another folder that holds the file.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: { id: MediaIdText },
  body: z.object({ from: FolderIdJson, to: FolderIdJson.meta({ examples: [1843301] }) }).meta({ id: 'Move' }),
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    await move(library, params.id, body.from, body.to)
    return {}
  },
})
