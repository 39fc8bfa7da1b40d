import { endpoint } from '../../shared/http/endpoint.ts'
import { editOneAs } from '../../shared/library/media/edit-as.ts'
import { MediaParams, TextByLanguage } from './schema.ts'

export const setDescription = endpoint({
  route: 'POST /media/{id}/metadata/description',
  summary: 'Set the description of a file, by language',
  access: 'user',
  uses: { table: 'write' },
  params: MediaParams,
  body: TextByLanguage,
  returns: TextByLanguage,
  async handle({ params, body, ...by }) {
    return (await editOneAs(by, params.id, () => ({ description: body }))).description
  },
})
