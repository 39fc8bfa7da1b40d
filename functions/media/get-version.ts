import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { MediaParams } from './schema.ts'

export const getVersion = endpoint({
  route: 'GET /media/{id}/version',
  summary: 'Read the version of a file: 1 after import, one more with every change',
  access: 'user or application',
  uses: { table: 'read' },
  params: MediaParams,
  returns: z.object({ version: z.number().int() }),
  async handle({ params, caller, table }) {
    const { version } = await availableMediaWith('READ', table, new Access(table, caller), params.id)
    return { version }
  },
})
