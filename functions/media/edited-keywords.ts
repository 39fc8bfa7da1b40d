import * as z from 'zod'
import type { AvailableMedia } from '../../shared/library/media/media.ts'
import { Keywords } from './schema.ts'

/** Answer of the keyword endpoints: the file's keywords by language; of several files, those of each by its id. */
export const EditedKeywords = z.union([Keywords, z.record(z.string(), Keywords)]).meta({ id: 'EditedKeywords' })

export function editedKeywordsJson(edited: readonly AvailableMedia[]): z.input<typeof EditedKeywords> {
  const [first] = edited
  if (edited.length === 1 && first) return first.keywords
  return Object.fromEntries(edited.map(({ mediaId, keywords }) => [mediaId, keywords]))
}
