import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { Empty, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { removeSubtitles } from '../../shared/library/videos/subtitles.ts'
import { LanguageTag } from './schema.ts'

export const deleteSubtitles = endpoint({
  route: 'DELETE /media/{id}/subtitles/{language}',
  summary: 'Remove the subtitles of a video in a language',
  description: 'Its stream shows them no more, within a minute. Needs WRITE on a folder that holds the file.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  freesSpace: true,
  params: { id: MediaIdText, language: LanguageTag },
  returns: Empty,
  refuses: ['forbidden'],
  async handle({ params, ...library }) {
    await removeSubtitles(library, params.id, params.language)
    return {}
  },
})
