import { raw } from '../../shared/http/declaration/bodies.ts'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdText } from '../../shared/http/declaration/fields.ts'
import { MAX_LANGUAGES, putSubtitles as store } from '../../shared/library/videos/subtitles.ts'
import { subtitleLimits, subtitleTypes } from '../../shared/tools/subtitles/to-webvtt.ts'
import { LanguageTag, SubtitlesAnswer, subtitlesJson } from './schema.ts'

export const putSubtitles = endpoint({
  route: 'PUT /media/{id}/subtitles/{language}',
  summary: 'Set the subtitles of a video in a language',
  description:
    'Takes WebVTT, or SubRip (`.srt`), which becomes WebVTT; of another `Content-Type` the bytes tell which. Text in UTF-8, or UTF-16 with a ' +
    `byte order mark; at most ${subtitleLimits.cues} cues, and ${MAX_LANGUAGES} languages (\`too_many_languages\`). Styles, regions and comments are left out. A file ` +
    'that is no subtitles is a 400 (`unusable_subtitles`) that names the line; for what is no video it is `not_a_video`. The stream of the ' +
    'video shows them within a minute, also one that was made before. Needs WRITE on a folder that holds the file.',
  access: 'user',
  uses: { table: 'write', media: 'subtitles' },
  idempotent: true,
  params: { id: MediaIdText, language: LanguageTag },
  body: raw({ maxBytes: subtitleLimits.bytes, mediaTypes: subtitleTypes }),
  returns: SubtitlesAnswer,
  refuses: ['forbidden'],
  async handle({ params, body, ...library }) {
    return subtitlesJson(await store(library, params.id, params.language, body))
  },
})
