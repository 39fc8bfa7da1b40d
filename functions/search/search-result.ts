import * as z from 'zod'
import type { ShowingQuery } from './search-query.ts'

const count = z
  .number()
  .int()
  .meta({ minimum: 0, examples: [1] })

/** The schema of a search's answer. @param found of one hit */
export function searchResult<Found extends z.ZodType>(found: Found) {
  return z.object({
    response: z.object({ hits: count.describe('all that match'), media: z.array(found).describe('the values that were asked for') }),
    media_count: count.describe('how many came'),
    media_offset: count,
    partial: z
      .boolean()
      .optional()
      .describe('`true` while the search index is being built: there may be more. Absent otherwise')
      .meta({ examples: [true] }),
  })
}

/** A search's answer. @param media one page of the hits @param partial whether the index is being built */
export function resultOf<Found>(hits: number, media: Found[], query: ShowingQuery, partial = false) {
  return { response: { hits, media }, media_count: media.length, media_offset: query.media_offset, ...(partial && { partial }) }
}
