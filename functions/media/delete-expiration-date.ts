import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { ExpirationDate } from './schema.ts'

export const deleteExpirationDate = endpoint({
  route: 'DELETE /media/{id}/metadata/expiration_date',
  summary: 'Take the expiration date of a file away; an expired file is good again',
  description: 'Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  returns: ExpirationDate,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await editOne(library, params.id, () => ({ expires: null }))
    return { expiration_date: null }
  },
})
