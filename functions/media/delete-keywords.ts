import { endpoint } from '../../shared/http/endpoint.ts'
import { editOneAs } from '../../shared/library/media/edit-as.ts'
import { Keywords, MediaParams } from './schema.ts'

export const deleteKeywords = endpoint({
  route: 'DELETE /media/{id}/metadata/keywords',
  summary: 'Remove all keywords of a file',
  description: 'Removes the keywords in all languages. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  params: MediaParams,
  returns: Keywords,
  refuses: ['forbidden'],
  async handle({ params, ...by }) {
    return (await editOneAs(by, params.id, () => ({ keywords: {} }))).media.keywords
  },
})
