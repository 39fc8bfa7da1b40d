import * as z from 'zod'
import type { AvailableMedia } from '../../shared/library/media/media.ts'

const Keywords = z.record(z.string(), z.array(z.string()))

/** Answer of the keyword endpoints: the file's keywords by language; of several files, those of each by its id. */
export const EditedKeywords = z.union([Keywords, z.record(z.string(), Keywords)])

export function editedKeywordsJson(edited: readonly AvailableMedia[]): z.input<typeof EditedKeywords> {
  const [first] = edited
  if (edited.length === 1 && first) return first.keywords
  return Object.fromEntries(edited.map(({ mediaId, keywords }) => [mediaId, keywords]))
}
