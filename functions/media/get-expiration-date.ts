import { endpoint } from '../../shared/http/endpoint.ts'
import { Access } from '../../shared/library/access/access.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { ExpirationDate, MediaParams } from './schema.ts'

export const getExpirationDate = endpoint({
  route: 'GET /media/{id}/metadata/expiration_date',
  summary: 'Read the expiration date of a file',
  description: '`null` where there is none. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: MediaParams,
  returns: ExpirationDate,
  refuses: ['conflict'],
  async handle({ params, caller, table }) {
    const { expires } = await availableMediaWith('READ', table, new Access(table, caller), params.id)
    return { expiration_date: expires }
  },
})
