import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Empty, IdText } from '../../shared/http/fields.ts'
import { copyAs } from '../../shared/library/media/place-as.ts'

export const copyMedia = endpoint({
  route: 'POST /media/{id}/folder/{folderId}',
  summary: 'Copy a file into a folder: adds a pointer',
  access: 'user',
  uses: { table: 'write' },
  params: z.object({ id: IdText, folderId: IdText }),
  returns: Empty,
  async handle({ params, ...by }) {
    await copyAs(by, params.id, params.folderId)
    return {}
  },
})
