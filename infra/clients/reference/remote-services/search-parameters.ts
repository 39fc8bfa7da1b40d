import * as z from 'zod'
import { mediaKinds } from '../../../../shared/vocabulary/media-kind.ts'
import { stockLanguages } from '../../../../shared/vocabulary/stock-language.ts'

const sides = z.int().min(0).optional()
const day = z.iso.date().optional()
const time = z.iso.datetime().optional()

/** What a search of a provider is asked for with. The adapter (shared/backends/stock/provider-query.ts) sends no others. */
export const SearchParameters = z.object({
  q: z
    .string()
    .min(1)
    .optional()
    .describe(
      'As a user typed it: terms, all of which must match in any language of an item; `-term` excludes, quotes make a phrase, `*` stands for anything. Absent: everything that the other parameters allow.',
    ),
  query_type: z
    .enum(['default', 'strict_and_search', 'wildcards'])
    .describe('Terms match at the start of words; as whole words; anywhere in words.'),
  lang: z.enum(stockLanguages).describe('The language that the user reads. A provider may rank by it.'),
  id: z.array(z.int().min(1)).optional().describe('Only these items.'),
  kind: z.array(z.enum(mediaKinds)).optional().describe('Only items of these kinds.'),
  date_field: z.enum(['created', 'camera_created', 'modified']).optional().describe('Which time of items `from` and `to` are about.'),
  from: time.describe('This time or later.'),
  to: time.describe('This time or earlier.'),
  orientation: z.enum(['horizontal', 'vertical']).optional().describe('A square is neither.'),
  min_width: sides.describe('Pixels.'),
  min_height: sides.describe('Pixels.'),
  min_long_side: sides.describe('Pixels of the longer side.'),
  min_short_side: sides.describe('Pixels of the shorter side.'),
  expires_from: day.describe('Only items that expire, on this day or later.'),
  expires_to: day.describe('Only items that expire, on this day or earlier.'),
  not_expired_on: day.describe('No items whose last day is before this one.'),
  order: z
    .enum(['relevance', 'created', 'camera_created', 'distance', 'filename', 'size'])
    .describe('Items without that time or place come last. Filenames are compared without case, sizes are bytes.'),
  direction: z.enum(['asc', 'desc']),
  latitude: z.number().min(-90).max(90).optional().describe('Where distance is measured from, in degrees.'),
  longitude: z.number().min(-180).max(180).optional(),
  limit: z.int().min(0).max(1_000).describe('Most items of the answer.'),
  offset: z.int().min(0).max(1_000_000).describe('How many items to skip. By relevance `limit` and `offset` reach 10,000 together.'),
})
