import * as z from 'zod'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import type { Edited } from '../../shared/library/media/edit.ts'
import type { LanguageKeywords } from '../../shared/vocabulary/field-values.ts'
import { Keywords } from './schema.ts'

/**
 * Answer of the keyword endpoints: one file's keywords by language, or the keywords of several files by id. The document shows an object with
 * any values: generators of clients make no use of a union of lists and maps.
 */
export const EditedKeywords = documentedAs(z.union([Keywords, z.record(z.string(), Keywords)]), {
  type: 'object',
  description: 'Of one file its keywords by language, as `Keywords`. Of several files such objects by media id.',
  additionalProperties: true,
  examples: [{ en: ['harbour', 'dawn'] }],
}).meta({ id: 'EditedKeywords' })

/** @param sent the caller's own keywords that the file has now: a caller without READ is told no others */
export function editedKeywordsJson(edited: readonly Edited[], sent: LanguageKeywords): z.input<typeof EditedKeywords> {
  const shown = ({ media, readable }: Edited) => (readable ? media.keywords : sent)
  const [first] = edited
  if (edited.length === 1 && first) return shown(first)
  return Object.fromEntries(edited.map((each) => [each.media.mediaId, shown(each)]))
}
