import * as z from 'zod'
import { AnswerMediaId } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'

const count = z.number().int().meta({ minimum: 0 })

/** A day and how many files are of it. Generators of clients know no tuples: the document shows a pair of text and number. */
const Day = documentedAs(z.tuple([z.string(), z.number()]), {
  type: 'array',
  minItems: 2,
  maxItems: 2,
  items: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
})

/** The found files, in columns. */
export const LayoutColumns = z
  .object({
    hits: count.meta({ description: 'all that match', examples: [3] }),
    ids: z.array(AnswerMediaId).describe('of the files, in order'),
    ratios: z
      .array(count)
      .meta({ description: '100 x width / height of each file, to the nearest whole number; 0 where unknown', examples: [[150, 67, 0]] }),
    days: z.array(Day).meta({
      description:
        "how many of these files are of each day (UTC) of the order's date, in order. Files without that date are left out; empty for orders that are no dates",
      examples: [
        [
          ['2026-05-17', 2],
          ['2026-05-16', 1],
        ],
      ],
    }),
    partial: z
      .boolean()
      .optional()
      .describe('`true` while the search index is being built: there may be more. Absent otherwise')
      .meta({ examples: [true] }),
  })
  .meta({ id: 'SearchLayout' })
