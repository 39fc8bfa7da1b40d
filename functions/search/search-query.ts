import * as z from 'zod'
import { Day, FolderIdText, isDay, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { flag, many, wholeNumber } from '../../shared/http/declaration/query.ts'
import { Invalid, type Problem } from '../../shared/library/errors.ts'
import { mediaKinds } from '../../shared/vocabulary/media-kind.ts'
import type { ParsedTerm } from '../../shared/vocabulary/parse-query.ts'
import { tooMuchWork } from '../../shared/vocabulary/query-work.ts'
import { renditionSizes } from '../../shared/vocabulary/rendition-size.ts'
import { ReturnValue } from './returned-values.ts'

/** Files in an answer, by default and at most. */
const DEFAULT_COUNT = 500
const MAX_COUNT = 1_000
const MAX_OFFSET = 1_000_000
/** The last file that a page by relevance reaches: all files before it are ranked for it. */
export const MAX_RANKED = 10_000

const TimestampText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+ -]\d{2}:?\d{2})$/i, {
    error: 'must be a time like YYYY-MM-DDThh:mm:ssZ',
    abort: true,
  })
  .refine((text) => isDay(text.slice(0, 10)), { error: 'must be a day that exists', abort: true })
  .transform(unixMs)
  .refine((ms) => !Number.isNaN(ms), 'must be a time that exists')

const shownTimestamp = { type: 'string', format: 'date-time', examples: ['2026-05-17T09:30:00Z'] }
const Timestamp = documentedAs(TimestampText, shownTimestamp)

/** The end of the given second: times are stored in milliseconds, and answers show seconds. */
const LatestTimestamp = documentedAs(
  z
    .string()
    .transform((text) => (/:\d{2}\.\d/.test(text) ? text : text.replace(/(:\d{2}:\d{2})/, '$1.999')))
    .pipe(TimestampText),
  shownTimestamp,
)

/** @returns NaN for an impossible time */
function unixMs(text: string): number {
  // A client that doesn't encode the + of an offset sends a space.
  const iso = text.replace(/^(\S+)[ ](\d{2}:\d{2}:\d{2})/, '$1T$2').replace(/ (\d{2}:?\d{2})$/, '+$1')
  // RFC 3339 has leap seconds and small letters, JavaScript doesn't.
  const [minute, leap] = [iso.toUpperCase().replace(/^(.{17})60/, '$159'), iso.slice(17, 19) === '60']
  return Date.parse(minute) + (leap ? 1_000 : 0)
}

const degrees = (limit: number) =>
  documentedAs(
    z
      .string()
      .trim()
      // Programs write very small numbers like 1e-7.
      .regex(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i, 'must be degrees')
      .transform(Number)
      .pipe(z.number().min(-limit).max(limit)),
    { type: 'number', minimum: -limit, maximum: limit, examples: [12.5] },
  )

/** Pixels of print sizes at 300 dpi. */
const printSides = { a4: { short: 2480, long: 3508 }, a3: { short: 3508, long: 4961 } }

/** All parameters of a search. This schema parses them; shared/library/search gives them meaning. */
export const SearchQuery = z.object({
  q: z
    .string()
    .optional()
    .meta({
      description:
        'Terms, all of which must match at the start of words, whatever their case and diacritics (å is also aa, ö also oe); `-term` excludes, quotes make a phrase, `*` stands for anything. At most two parts of words may be shorter than three characters.',
      examples: ['harbour -night'],
      example: 'harbour',
    }),
  return_values: many(ReturnValue).meta({
    description: 'What to tell of each file; unknown values are ignored.',
    example: ['unique_media_id', 'title', 'filename', 'thumbnail_url'],
  }),
  media_count: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .transform((count) => Math.min(count, MAX_COUNT))
    .default(DEFAULT_COUNT)
    .describe(`How many files; more than ${MAX_COUNT} count as ${MAX_COUNT}.`),
  media_offset: wholeNumber(0, MAX_OFFSET).default(0).describe('How many to skip.'),
  media_type: many(z.enum(mediaKinds)).optional(),
  folder_ids: many(FolderIdText).optional().describe('Only files in these folders; by default in all that the caller may read.'),
  all: flag().default(false).describe('Search everything that the caller may read, also without `q`, ids and folders.'),
  recursive: flag().default(false).describe('Search below those folders, too.'),
  unique_media_id: many(MediaIdText).optional().describe('Only these files.'),
  media_id: many(MediaIdText).optional().describe('The same as `unique_media_id`.'),
  date_filter_field: z.enum(['created', 'camera_created', 'last_modified']).default('created'),
  min_date: Timestamp.optional().describe('At this time or later.'),
  max_date: LatestTimestamp.optional().describe('At this time or earlier.'),
  orientation: z.enum(['horizontal', 'vertical']).optional(),
  thumbnail_size: z.enum(renditionSizes).default('320px'),
  order: z
    .enum(['relevance', 'created', 'camera_created', 'distance', 'filename', 'size', 'byline', 'kind', 'expiration_date', 'folder'])
    .optional()
    .describe(
      'By default `relevance` with a `q`, else `created`; `distance` needs `latitude` and `longitude`. `kind` is `media_type` by the alphabet, ' +
        '`folder` the name of the first of `folder_ids`. Files without a value are last in both directions.',
    ),
  direction: z
    .enum(['asc', 'desc'])
    .optional()
    .describe('Only together with `order`; by default `desc` for `relevance`, `created`, `camera_created` and `size`, else `asc`.'),
  resolution: z
    .enum(['a4', 'a3'])
    .transform((size) => printSides[size])
    .optional()
    .describe('At least as many pixels as this print size has at 300 dpi.'),
  min_width: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  min_height: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  query_type: z.enum(['strict_and_search', 'wildcards']).optional().describe('Whole words only, or anywhere in words.'),
  exclude_expired_media: flag().default(false),
  min_expiration_date: Day.optional(),
  max_expiration_date: Day.optional(),
  latitude: degrees(90).optional(),
  longitude: degrees(180).optional(),
})

type ParsedQuery = z.output<typeof SearchQuery>
/** The criteria and orders of all searches: those of own media, which are in folders, and of the stock library. */
export type CommonQuery = Omit<ParsedQuery, 'folder_ids' | 'return_values' | 'thumbnail_size' | 'media_count'>
/** The query of all searches that show files. */
export type ShowingQuery = Omit<ParsedQuery, 'folder_ids'>

/** The order that a search has. */
export function orderOf({ order }: CommonQuery, terms: readonly ParsedTerm[]): NonNullable<CommonQuery['order']> {
  return order ?? (terms.length === 0 ? 'created' : 'relevance')
}

/** Checks rules about several parameters of a search that shows files. @throws Invalid */
export function checkShowing(query: ShowingQuery, terms: readonly ParsedTerm[]): void {
  checkTogether(query, terms, query.media_count, query.return_values ? [] : [problemOf('return_values', 'must name at least one value')])
}

/**
 * Checks rules about several parameters.
 * @param count files that are asked for
 * @param problems found before
 * @throws Invalid
 */
export function checkTogether(query: CommonQuery, terms: readonly ParsedTerm[], count: number, problems: Problem[] = []): void {
  const found = [...problems]
  if (query.direction && !query.order) found.push(problemOf('direction', 'must not be given without order'))
  if (query.order === 'distance' && (query.latitude === undefined || query.longitude === undefined)) {
    found.push(problemOf('order', 'must not be distance without latitude and longitude'))
  }
  if (orderOf(query, terms) === 'relevance' && query.media_offset + count > MAX_RANKED) {
    found.push(problemOf('media_offset', `must be at most ${MAX_RANKED} together with media_count, by relevance`))
  }
  const work = tooMuchWork(terms)
  if (work) found.push(problemOf('q', work))
  if (found.length > 0) throw new Invalid(found)
}

const problemOf = (path: string, message: string): Problem => ({ path, message })
