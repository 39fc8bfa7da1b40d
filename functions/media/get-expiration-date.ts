import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { availableMediaWith } from '../../shared/library/media/find.ts'
import { ExpirationDate } from './schema.ts'

export const getExpirationDate = endpoint({
  route: 'GET /media/{id}/metadata/expiration_date',
  summary: 'Read the expiration date of a file',
  description: '`null` where there is none. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: { id: MediaIdText },
  returns: ExpirationDate,
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    const { expires } = await availableMediaWith(library, 'READ', params.id)
    return { expiration_date: expires }
  },
})
