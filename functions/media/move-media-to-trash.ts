import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty, IdText } from '../../shared/http/fields.ts'
import { trashAs } from '../../shared/library/media/place-as.ts'

export const moveMediaToTrash = endpoint({
  route: 'POST /media/{id}/folder/{folderId}/move_to_trash',
  summary: "Move a file from a folder to the caller's trashcan; from there it is removed for good",
  access: 'user',
  uses: { table: 'write' },
  params: z.object({ id: IdText, folderId: IdText }),
  returns: Empty,
  async handle({ params, ...by }) {
    await trashAs(by, params.id, params.folderId)
    return {}
  },
})
