import * as z from 'zod'
import { AnswerIsoTime, AnswerMediaId, Day, FolderIdJson, MediaIdJson, text } from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import {
  type BulkChange,
  type BulkRecord,
  type FolderChange,
  MAX_BULK_IDS,
  type Refusal,
  undoUntil,
} from '../../shared/library/bulk/bulk.ts'
import { isoTime } from '../../shared/library/time.ts'
import { byField, type FieldEntry, madeOfFields } from '../../shared/vocabulary/editable-fields.ts'
import { metadataLimits } from '../../shared/vocabulary/metadata-limits.ts'
import { FocalPointInput, Keyword, Language, LineOrNull, withoutDay } from '../media/schema.ts'
import { SearchQuery } from '../search/search-query.ts'

const Texts = z
  .record(Language, text(metadataLimits.text).nullable())
  .meta({ maxProperties: metadataLimits.languages, examples: [{ en: 'The harbour at dawn', da: null }] })
  .describe('by language; null clears one, languages that are not named stay')
  .optional()
const Keywords = z.array(Keyword).max(metadataLimits.keywords)

const KeywordChange = z
  .object({ add: Keywords.optional(), remove: Keywords.optional(), replace: Keywords.optional() })
  .refine(({ add, remove, replace }) => (replace ? !add && !remove : add || remove), 'must hold add, remove or both; or replace alone')

const Folders = z
  .object({
    add: FolderIdJson.optional().describe('puts each file into this folder, too'),
    move: z.object({ from: FolderIdJson, to: FolderIdJson }).optional(),
    trash: z.object({ from: FolderIdJson }).optional().describe("moves each file from this folder to the caller's trashcan"),
  })
  .refine((folders) => Object.values(folders).filter((each) => each !== undefined).length === 1, 'must hold one of add, move and trash')

/** Changes of editable fields by their kinds. */
const changes = {
  texts: () => Texts,
  line: () => LineOrNull.optional().describe('null or empty: is cleared'),
  day: ({ name }: FieldEntry<'day'>) => Day.nullable().optional().describe(`null: ${withoutDay[name]}`),
  flag: () => z.boolean().optional(),
  point: () => FocalPointInput.optional().describe('null: is cleared; files that are no pictures are refused'),
  keywords: () =>
    z
      .record(Language, KeywordChange)
      .meta({ maxProperties: metadataLimits.languages, examples: [{ en: { add: ['dawn'], remove: ['night'] } }] })
      .optional()
      .describe('by language: `add` and `remove`, or `replace` alone'),
}

const Change = z
  .object({
    ...madeOfFields('bulk', changes),
    folders: Folders.optional(),
  })
  .refine((change) => Object.values(change).some((each) => each !== undefined), 'must hold at least one change')
  .meta({ id: 'BulkChange' })

/** Parameters of a search, as strings or numbers. */
const Search = documentedAs(
  z
    .record(z.string(), z.union([z.string(), z.number()]))
    .transform((given) => {
      const texts = Object.entries(given)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, String(value)])
      // A search must name what it shows.
      return { ...Object.fromEntries(texts), return_values: 'unique_media_id' }
    })
    .pipe(SearchQuery),
  {
    type: 'object',
    description: 'parameters of `GET /search`, as strings or numbers; those that say what is shown are ignored',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    examples: [{ q: 'harbour', media_type: 'image' }],
  },
)

const Selection = z
  .object({
    ids: z.array(MediaIdJson).min(1).max(MAX_BULK_IDS).optional().describe('an id that comes twice counts once'),
    search: Search.optional(),
    expect: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta({ description: 'how many files the search found', examples: [120] }),
  })
  .refine(({ ids, search }) => (ids === undefined) !== (search === undefined), 'must hold either ids or search')
  .refine(({ search, expect }) => search === undefined || expect !== undefined, { path: ['expect'], message: 'is missing' })
  .meta({ id: 'BulkSelection' })

export const BulkInput = z.object({ select: Selection, change: Change }).meta({
  id: 'BulkInput',
  examples: [{ select: { ids: [902114] }, change: { keywords: { en: { add: ['dawn'] } } } }],
})

export const BulkId = z.string().meta({ examples: ['b7Qm2xJ0sR5tWkY9cVdEaF'] })
export const BulkJob = z.object({ job_id: BulkId }).meta({ id: 'BulkJob' })

const count = (description: string) =>
  z
    .number()
    .int()
    .meta({ minimum: 0, description, examples: [120] })

export const BulkState = z
  .object({
    state: z.enum(['PENDING', 'DONE', 'FAILED']),
    done: count('how many of `total` are done'),
    total: count('files of the selection; of an undo those that were changed'),
    changed: count('files that were changed'),
    unchanged: count('files that were as wanted already'),
    refused: z
      .array(z.object({ media_id: AnswerMediaId, code: z.string().meta({ examples: ['forbidden'] }) }))
      .describe('the first 1,000 files that were refused, and why'),
    refused_total: count('files that were refused'),
    undo_until: AnswerIsoTime.nullable().describe('null while it is PENDING, and of an undo'),
  })
  .meta({ id: 'BulkState' })

/** The domain's change that a body asks for. */
export function changeOf({ folders, ...change }: z.output<typeof Change>): BulkChange {
  return { ...byField(change), ...(folders && { folders: folderChangeOf(folders) }) } as BulkChange
}

function folderChangeOf({ add, move, trash }: z.output<typeof Folders>): FolderChange {
  if (add !== undefined) return { kind: 'add', to: add }
  return move ? { kind: 'move', ...move } : { kind: 'trash', from: trash!.from }
}

export function bulkJson(bulk: BulkRecord, refusals: readonly Refusal[]): z.input<typeof BulkState> {
  const { state, total, changed, unchanged, refused } = bulk
  const until = undoUntil(bulk)
  return {
    ...{ state, done: changed + unchanged + refused, total, changed, unchanged },
    refused: refusals.map(({ mediaId, code }) => ({ media_id: mediaId, code })),
    refused_total: refused,
    undo_until: until === undefined ? null : isoTime(until),
  }
}
