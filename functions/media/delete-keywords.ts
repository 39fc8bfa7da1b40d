import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { Keywords } from './schema.ts'

export const deleteKeywords = endpoint({
  route: 'DELETE /media/{id}/metadata/keywords',
  summary: 'Remove all keywords of a file',
  description: 'Removes the keywords in all languages. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  returns: Keywords,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    return (await editOne(library, params.id, () => ({ keywords: {} }))).media.keywords
  },
})
