import * as z from 'zod'
import { AnswerIsoTime, AnswerPresetId } from '../../shared/http/declaration/fields.ts'
import type { Preset as PresetRecord } from '../../shared/library/presets/preset.ts'
import { MAX_QUERY } from '../../shared/library/presets/query.ts'
import { isoTime } from '../../shared/library/time.ts'
import { PRESET_NAME } from '../../shared/vocabulary/link-query.ts'

const example = { name: 'card', query: 'width=640&height=360&fit=cover&output_format=auto' }

/** What links name it by. */
export const PresetName = z
  .string()
  .regex(PRESET_NAME, 'must be 1 to 40 small letters (a to z), digits and hyphens')
  .meta({ pattern: PRESET_NAME.source, examples: [example.name] })

/** The library checks it, with all that is wrong. */
export const PresetQuery = z
  .string()
  .describe(`parameters as on a link, without \`?\` before them and without \`preset\`; at most ${MAX_QUERY} characters`)
  .meta({ minLength: 1, maxLength: MAX_QUERY, examples: [example.query] })

export const Preset = z
  .object({
    id: AnswerPresetId,
    name: z.string().meta({ examples: [example.name] }),
    query: z.string().meta({ examples: [example.query] }),
    created: AnswerIsoTime,
  })
  .meta({ id: 'Preset' })

export function presetJson({ presetId, name, query, created }: PresetRecord): z.input<typeof Preset> {
  return { id: presetId, name, query, created: isoTime(created) }
}
