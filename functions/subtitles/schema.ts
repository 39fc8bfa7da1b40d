import * as z from 'zod'
import { AnswerTime } from '../../shared/http/declaration/fields.ts'
import { timestamp } from '../../shared/library/time.ts'
import { canonicalLanguage, languageName } from '../../shared/library/videos/playlist.ts'
import type { SubtitlesOf } from '../../shared/library/videos/subtitles.ts'

/** A language in a path; case doesn't count. */
export const LanguageTag = z
  .string()
  .transform((tag) => canonicalLanguage(tag) ?? '')
  .refine((tag) => tag !== '', 'must be a language by its BCP 47 tag, like da or pt-BR')
  .meta({
    description: 'BCP 47 tag: language, script and region',
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$',
    examples: ['da'],
  })

/** Subtitles in an answer. */
export const SubtitlesAnswer = z
  .object({
    language: z.string().meta({ description: 'canonical BCP 47 tag', examples: ['da'] }),
    name: z.string().meta({ description: 'what the language calls itself, as menus of players show it', examples: ['Dansk'] }),
    bytes: z
      .number()
      .int()
      .meta({ description: 'of the WebVTT text', examples: [48210] }),
    changed: AnswerTime,
  })
  .meta({ id: 'Subtitles' })

export function subtitlesJson({ language, bytes, changed }: SubtitlesOf): z.input<typeof SubtitlesAnswer> {
  return { language, name: languageName(language), bytes, changed: timestamp(changed) }
}
