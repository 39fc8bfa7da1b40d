import { endpoint, LARGE_BODY_BYTES } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { editOne } from '../../shared/library/media/edit.ts'
import { TextByLanguage, Texts } from './schema.ts'

export const setDescription = endpoint({
  route: 'POST /media/{id}/metadata/description',
  summary: 'Set the description of a file, by language',
  description: 'Replaces the description in all languages; only `en` is searched. Needs WRITE on the file. Raises the version by one.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  conditional: true,
  params: { id: MediaIdText },
  body: TextByLanguage,
  maxBodyBytes: LARGE_BODY_BYTES,
  returns: Texts,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    return (await editOne(library, params.id, () => ({ description: body }))).media.description
  },
})
