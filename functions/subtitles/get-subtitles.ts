import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { readSubtitles } from '../../shared/library/videos/subtitles.ts'
import { LanguageTag } from './schema.ts'

export const getSubtitles = endpoint({
  route: 'GET /media/{id}/subtitles/{language}',
  summary: 'Read the subtitles of a video in a language',
  description: 'WebVTT, also where SubRip was sent. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read', media: 'read' },
  params: { id: MediaIdText, language: LanguageTag },
  returns: { mediaType: 'text/vtt' },
  refuses: ['conflict'],
  async handle({ params: { id, language }, ...library }) {
    return { bytes: Buffer.from(await readSubtitles(library, id, language)), filename: `${id}.${language}.vtt` }
  },
})
