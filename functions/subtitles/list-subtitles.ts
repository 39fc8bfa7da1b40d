import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { listSubtitles as list } from '../../shared/library/videos/subtitles.ts'
import { SubtitlesAnswer, subtitlesJson } from './schema.ts'

export const listSubtitles = endpoint({
  route: 'GET /media/{id}/subtitles',
  summary: 'List the subtitles of a video',
  description: 'Ordered by language; none for any other file. Needs READ on a folder that holds the file.',
  access: 'user or application',
  uses: { table: 'read' },
  params: { id: MediaIdText },
  returns: z.array(SubtitlesAnswer),
  refuses: ['conflict'],
  async handle({ params, ...library }) {
    return (await list(library, params.id)).map(subtitlesJson)
  },
})
