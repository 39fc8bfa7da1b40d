import { endpoint, LARGE_BODY_BYTES } from '../../shared/http/declaration/endpoint.ts'
import { editMedia } from '../../shared/library/media/edit.ts'
import { withoutKeywords } from '../../shared/library/media/languages.ts'
import { EditedKeywords, editedKeywordsJson } from './edited-keywords.ts'
import { KeywordsByLanguage, MediaIdsText } from './schema.ts'

export const removeKeywords = endpoint({
  route: 'DELETE /media/{id}/metadata/keyword',
  summary: 'Remove keywords from one file or several (ids separated by commas): from all or from none',
  description:
    'All files are changed or none. Answers with the keywords of the file; of several files with those of each, by its id. Needs ' +
    'WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdsText },
  body: KeywordsByLanguage,
  maxBodyBytes: LARGE_BODY_BYTES,
  returns: EditedKeywords,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    const edited = await editMedia(library, params.id, ({ keywords }) => ({ keywords: withoutKeywords(keywords, body) }))
    return editedKeywordsJson(edited, {})
  },
})
