import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'

export const getVersion = endpoint({
  route: 'GET /media/{id}/version',
  summary: 'Read the version of a file: 1 after import, one more with every change',
  description: 'Copying and moving leave the version alone. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: { id: MediaIdText },
  returns: z
    .object({
      version: z
        .number()
        .int()
        .meta({ minimum: 1, examples: [3] }),
    })
    .meta({ id: 'Version' }),
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    const { version } = await availableMediaWith(library, 'READ', params.id)
    return { version }
  },
})
