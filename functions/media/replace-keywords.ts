import { endpoint, LARGE_BODY_BYTES } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { Keywords, KeywordsByLanguage } from './schema.ts'

export const replaceKeywords = endpoint({
  route: 'POST /media/{id}/metadata/keywords',
  summary: 'Replace all keywords of a file',
  description: 'Replaces the keywords in all languages; only `en` is searched. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  body: KeywordsByLanguage,
  maxBodyBytes: LARGE_BODY_BYTES,
  returns: Keywords,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    return (await editOne(library, params.id, () => ({ keywords: body }))).media.keywords
  },
})
