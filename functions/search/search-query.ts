import * as z from 'zod'
import type { ParsedTerm } from '../../shared/backends/search/parse-query.ts'
import { tooMuchWork } from '../../shared/backends/search/query-work.ts'
import { Day, IdText, isDay } from '../../shared/http/fields.ts'
import { flag, many, wholeNumber } from '../../shared/http/query.ts'
import { Invalid } from '../../shared/library/errors.ts'
import { renditionSizes } from '../../shared/library/media/media.ts'

/** How many files an answer holds: by default, at most, and how deep pages reach (decision 28). */
const DEFAULT_COUNT = 500
const MAX_COUNT = 1_000
const MAX_REACH = 10_000

const Timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+ -]\d{2}:?\d{2})$/i, 'must be a time like YYYY-MM-DDThh:mm:ssZ')
  .refine((text) => isDay(text.slice(0, 10)), 'must be a day that exists')
  // The + of an offset arrives as a space where a client didn't encode it.
  .transform((text) => Date.parse(text.replace(/^(\S+)[ ](\d{2}:\d{2}:\d{2})/, '$1T$2').replace(/ (\d{2}:?\d{2})$/, '+$1')))
  .refine((ms) => !Number.isNaN(ms), 'must be a time that exists')

/** The end of the second that was named: times are shown in seconds and kept in milliseconds. */
const LatestTimestamp = z
  .string()
  .transform((text) => (/:\d{2}\.\d/.test(text) ? text : text.replace(/(:\d{2}:\d{2})/, '$1.999')))
  .pipe(Timestamp)

const degrees = (limit: number) =>
  z
    .string()
    .trim()
    .regex(/^[+-]?\d+(\.\d+)?$/, 'must be degrees')
    .transform(Number)
    .pipe(z.number().min(-limit).max(limit))

/** Pixels of print sizes at 300 dpi (decision 31). */
const printSides = { a4: { short: 2480, long: 3508 }, a3: { short: 3508, long: 4961 } }

/** Every parameter of the interface's search. Multi-values and flags are parsed here, what they mean is library/search's. */
export const SearchQuery = z.object({
  q: z.string().optional(),
  return_values: many(z.string()),
  media_count: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .transform((count) => Math.min(count, MAX_COUNT))
    .default(DEFAULT_COUNT),
  media_offset: wholeNumber(0, MAX_REACH).default(0),
  media_type: many(z.enum(['image', 'vector', 'video', 'generic'])).optional(),
  folder_ids: many(IdText).optional(),
  recursive: flag().default(false),
  unique_media_id: many(IdText).optional(),
  media_id: many(IdText).optional().describe('the same as unique_media_id'),
  date_filter_field: z.enum(['created', 'camera_created', 'last_modified']).default('created'),
  min_date: Timestamp.optional(),
  max_date: LatestTimestamp.optional(),
  orientation: z.enum(['horizontal', 'vertical']).optional(),
  thumbnail_size: z.enum(renditionSizes).default('320px'),
  order: z.enum(['relevance', 'created', 'camera_created', 'distance']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  resolution: z
    .enum(['a4', 'a3'])
    .transform((size) => printSides[size])
    .optional(),
  min_width: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  min_height: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  query_type: z.enum(['strict_and_search', 'wildcards']).optional(),
  exclude_expired_media: flag().default(false),
  min_expiration_date: Day.optional(),
  max_expiration_date: Day.optional(),
  latitude: degrees(90).optional(),
  longitude: degrees(180).optional(),
})

export type ParsedSearchQuery = z.output<typeof SearchQuery>

/** What no single parameter shows. @throws Invalid */
export function checkTogether(query: ParsedSearchQuery, terms: readonly ParsedTerm[]): void {
  const problems: { path: string; message: string }[] = []
  const problem = (path: string, message: string) => problems.push({ path, message })
  if (!query.return_values) problem('return_values', 'must name at least one value')
  if (query.direction && !query.order) problem('direction', 'must not be given without order')
  if (query.order === 'distance' && (query.latitude === undefined || query.longitude === undefined)) {
    problem('order', 'must not be distance without latitude and longitude')
  }
  if (query.media_offset + query.media_count > MAX_REACH) {
    problem('media_offset', `must be at most ${MAX_REACH} together with media_count`)
  }
  const work = tooMuchWork(terms)
  if (work) problem('q', work)
  if (problems.length > 0) throw new Invalid(problems)
}
