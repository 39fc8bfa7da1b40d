import * as z from 'zod'
import { AnswerId, Day, Id, IdText, text } from '../../shared/http/fields.ts'
import { splitValues } from '../../shared/http/query.ts'
import type { FolderRecord } from '../../shared/library/folders/folder.ts'
import { MAX_EDITED } from '../../shared/library/media/edit.ts'
import { cleanKeywords } from '../../shared/library/media/keywords.ts'

/** Limits of single fields, in characters; the whole is limited in edit.ts. */
const MAX_TEXT = 50_000
const MAX_LINE = 5_000
const MAX_KEYWORD = 500
const MAX_KEYWORDS = 2_000
const MAX_LANGUAGES = 50

const Language = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language code such as en')
const fewLanguages = (value: object) => Object.keys(value).length <= MAX_LANGUAGES

/** Language code to text. */
export const TextByLanguage = z.record(Language, text(MAX_TEXT)).refine(fewLanguages, `must hold at most ${MAX_LANGUAGES} languages`)

const Keyword = text(MAX_KEYWORD)
  .transform((keyword) => keyword.trim())
  .pipe(z.string().min(1, 'must not be empty'))

/** Language code to keywords, each once. */
export const KeywordsByLanguage = z
  .record(Language, z.array(Keyword).max(MAX_KEYWORDS))
  .refine(fewLanguages, `must hold at most ${MAX_LANGUAGES} languages`)
  .transform(cleanKeywords)

/** Byline or copyright: one JSON string. */
export const Line = text(MAX_LINE)

const Iptc = z.record(z.string(), z.unknown()).nullable()
const Geolocation = z.object({ source: z.string(), longitude: z.string(), latitude: z.string() }).nullable()

/** The metadata sub-document in answers. */
export const Metadata = z
  .object({
    editorial: z.boolean(),
    adult_content: z.boolean(),
    keywords: z.record(z.string(), z.array(z.string())),
    title: z.record(z.string(), z.string()),
    description: z.record(z.string(), z.string()),
    iptc: Iptc,
    geolocation: Geolocation,
    camera_created: z.number().int().optional().describe('UNIX seconds; absent when unknown'),
  })
  .meta({ id: 'Metadata' })

/** The sub-document as sent: absent editable fields become empty, read-only ones may come back and are ignored (decision 24). */
export const MetadataInput = z.strictObject({
  editorial: z.boolean().default(false),
  adult_content: z.boolean().default(false),
  keywords: KeywordsByLanguage.default({}),
  title: TextByLanguage.default({}),
  description: TextByLanguage.default({}),
  iptc: z.unknown().optional(),
  geolocation: z.unknown().optional(),
  camera_created: z.unknown().optional(),
})

export const Media = z
  .object({
    id: AnswerId,
    created: z.string().describe('UTC, YYYY-MM-DD HH:MM:SS'),
    type: z.string(),
    filename: z.string(),
    file_md5: z.string(),
    uploaded_by: AnswerId,
    metadata: Metadata,
    file_mimetype: z.string(),
    file_disksize: z.number().int().describe('bytes'),
    width: z.number().int().nullable().describe('pixels'),
    height: z.number().int().nullable().describe('pixels'),
    byline: z.string().nullable(),
    copyright: z.string().nullable(),
    expiration_date: z.string().nullable(),
    expired: z.boolean(),
  })
  .meta({ id: 'Media' })

export const ImportProgress = z
  .object({ status: z.enum(['importing', 'delayed']), progress: z.number().int().min(0).max(100) })
  .meta({ id: 'ImportProgress' })

/** A folder that holds the file. */
export const Membership = z.object({ group_id: AnswerId, status: z.literal('RELEASED') }).meta({ id: 'MediaFolder' })
export const MembershipInput = z.object({ group_id: Id, status: z.literal('RELEASED').optional() })

export const MediaParams = z.object({ id: IdText })

/** One media id, or several separated by commas. */
export const MediaListParams = z.object({
  id: z
    .string()
    .transform(splitValues)
    .pipe(z.array(IdText).min(1).max(MAX_EDITED, `must be at most ${MAX_EDITED} ids`))
    .transform((ids) => [...new Set(ids)]),
})

export const ExpirationDate = z.object({ expiration_date: Day.nullable() })

export function membershipsJson(folders: readonly FolderRecord[]): z.input<typeof Membership>[] {
  return folders.map(({ folderId }) => ({ group_id: folderId, status: 'RELEASED' as const }))
}
