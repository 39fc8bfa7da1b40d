import { endpoint } from '../../shared/http/endpoint.ts'
import { editOneAs } from '../../shared/library/media/edit-as.ts'
import { KeywordsByLanguage, MediaParams } from './schema.ts'

export const deleteKeywords = endpoint({
  route: 'DELETE /media/{id}/metadata/keywords',
  summary: 'Remove all keywords of a file',
  access: 'user',
  uses: { table: 'write' },
  params: MediaParams,
  returns: KeywordsByLanguage,
  async handle({ params, ...by }) {
    return (await editOneAs(by, params.id, () => ({ keywords: {} }))).keywords
  },
})
