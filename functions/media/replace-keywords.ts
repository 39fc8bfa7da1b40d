import { endpoint } from '../../shared/http/endpoint.ts'
import { editOneAs } from '../../shared/library/media/edit-as.ts'
import { Keywords, KeywordsByLanguage, MediaParams } from './schema.ts'

export const replaceKeywords = endpoint({
  route: 'POST /media/{id}/metadata/keywords',
  summary: 'Replace all keywords of a file',
  description: 'Replaces the keywords in all languages; only `en` is searched. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  params: MediaParams,
  body: KeywordsByLanguage,
  returns: Keywords,
  refuses: ['forbidden'],
  async handle({ params, body, ...by }) {
    return (await editOneAs(by, params.id, () => ({ keywords: body }))).media.keywords
  },
})
