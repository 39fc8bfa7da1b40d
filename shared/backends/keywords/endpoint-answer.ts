import * as z from 'zod'
import { metadataLimits } from '../../vocabulary/metadata-limits.ts'

/** Most keywords of an answer: more than any file gets. */
const MAX_KEYWORDS = 100

/** No control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keeping them out is the point.
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f]*$/

/** The answer of an operator's service about a picture. */
export const SuggestedKeywords = z
  .object({
    keywords: z
      .array(
        z
          .object({
            keyword: z
              .string()
              .min(1)
              .max(metadataLimits.keyword)
              .regex(ONE_LINE)
              .meta({ description: 'without control characters', examples: ['Harbour'] }),
            confidence: z
              .number()
              .min(0)
              .max(100)
              .meta({ description: 'percent', examples: [97.5] }),
          })
          .meta({ id: 'SuggestedKeyword' }),
      )
      .max(MAX_KEYWORDS)
      .meta({ description: 'In any order. A file gets those from 80 percent, at most 20.' }),
  })
  .meta({ id: 'SuggestedKeywords' })
