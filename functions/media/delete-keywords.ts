import { endpoint } from '../../shared/http/endpoint.ts'
import { MediaIdText } from '../../shared/http/fields.ts'
import { editOneAs } from '../../shared/library/media/edit-as.ts'
import { Keywords } from './schema.ts'

export const deleteKeywords = endpoint({
  route: 'DELETE /media/{id}/metadata/keywords',
  summary: 'Remove all keywords of a file',
  description: 'Removes the keywords in all languages. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  params: { id: MediaIdText },
  returns: Keywords,
  refuses: ['forbidden'],
  async handle({ params, ...by }) {
    return (await editOneAs(by, params.id, () => ({ keywords: {} }))).media.keywords
  },
})
