import { endpoint } from '../../shared/http/endpoint.ts'
import { editOneAs } from '../../shared/library/media/edit-as.ts'
import { KeywordsByLanguage, MediaParams } from './schema.ts'

export const replaceKeywords = endpoint({
  route: 'POST /media/{id}/metadata/keywords',
  summary: 'Replace all keywords of a file',
  access: 'user',
  uses: { table: 'write' },
  params: MediaParams,
  body: KeywordsByLanguage,
  returns: KeywordsByLanguage,
  async handle({ params, body, ...by }) {
    return (await editOneAs(by, params.id, () => ({ keywords: body }))).keywords
  },
})
