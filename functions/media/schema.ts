import * as z from 'zod'
import {
  AnswerFileNumber,
  AnswerFolderId,
  AnswerMediaId,
  AnswerPixels,
  AnswerSeconds,
  AnswerTime,
  AnswerUploader,
  answerText,
  Day,
  FolderIdJson,
  MediaIdText,
  text,
} from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { splitValues } from '../../shared/http/declaration/query.ts'
import { MAX_EDITED } from '../../shared/library/media/edit.ts'
import { cleanKeywords } from '../../shared/library/media/languages.ts'
import type { FolderRecord } from '../../shared/library/tree/folder.ts'
import { type FieldEntry, madeOfFields } from '../../shared/vocabulary/editable-fields.ts'
import { emptyValues } from '../../shared/vocabulary/field-values.ts'
import { mediaKinds } from '../../shared/vocabulary/media-kind.ts'
import { languageCode, metadataLimits } from '../../shared/vocabulary/metadata-limits.ts'
import { roundedPoint } from '../../shared/vocabulary/point.ts'

export const Language = z.string().regex(languageCode, 'must be a language code such as en')
const fewLanguages = (value: object) => Object.keys(value).length <= metadataLimits.languages

/** Language code to text. */
export const TextByLanguage = z
  .record(Language, text(metadataLimits.text))
  .refine(fewLanguages, `must hold at most ${metadataLimits.languages} languages`)
  .meta({ id: 'TextByLanguage', maxProperties: metadataLimits.languages, examples: [{ en: 'The harbour at dawn' }] })

/** For the API document: a visible character, and no control characters. */
const CONTROLS = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f`
const KEYWORD_PATTERN = String.raw`^[^${CONTROLS}]*[^\s\ufeff${CONTROLS}][^${CONTROLS}]*$`

export const Keyword = text(metadataLimits.keyword)
  .transform((keyword) => keyword.trim())
  .pipe(z.string().min(1, 'must not be empty'))
  .meta({ minLength: 1, pattern: KEYWORD_PATTERN })

/** Language code to keywords, each once. */
export const KeywordsByLanguage = z
  .record(Language, z.array(Keyword).max(metadataLimits.keywords))
  .refine(fewLanguages, `must hold at most ${metadataLimits.languages} languages`)
  .transform(cleanKeywords)
  .meta({ id: 'KeywordsByLanguage', maxProperties: metadataLimits.languages, examples: [{ en: ['harbour', 'dawn'] }] })

const line = () => text(metadataLimits.line)

/** Byline or copyright: one JSON string. */
export const Line = line().meta({ id: 'Line', examples: ['Anna Berg'] })

/** The same where null clears it, too. */
export const LineOrNull = line()
  .nullable()
  .transform((text) => text || null)

/** What null says in fields that hold a day. */
export const withoutDay: { [Name in FieldEntry<'day'>['name']]: string } = { expiration_date: 'the file is good for ever' }

const fraction = () =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ examples: [0.25] })

/** A focal point as sent, or null for none. */
export const FocalPointInput = z
  .object({ x: fraction(), y: fraction() })
  .transform(roundedPoint)
  .nullable()
  .meta({ id: 'FocalPointInput', examples: [{ x: 0.5, y: 0.25 }] })

/** A focal point in answers. */
export const FocalPoint = z
  .object({ x: fraction(), y: fraction() })
  .nullable()
  .meta({
    id: 'FocalPoint',
    description: 'what cuts of a picture keep, in fractions of its width and height; null where nobody has said',
    examples: [{ x: 0.5, y: 0.25 }],
  })

/** Language code to text, in answers. */
export const Texts = z.record(z.string(), z.string()).meta({ id: 'Texts', examples: [{ en: 'The harbour at dawn' }] })

/** Language code to keywords, in answers. */
export const Keywords = z.record(z.string(), z.array(z.string())).meta({ id: 'Keywords', examples: [{ en: ['harbour', 'dawn'] }] })

const Iptc = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ description: 'what the file itself says, read at upload', examples: [{ Keywords: ['harbour'], 'By-line': 'Anna Berg' }] })
const degrees = (example: string) => z.string().meta({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', examples: [example] })
const Geolocation = z
  .object({ source: z.string().meta({ examples: ['exif'] }), longitude: degrees('12.5945'), latitude: degrees('55.6795') })
  .nullable()

/** Examples of one text in the API document. */
export const examples = {
  ...{ title: 'The harbour at dawn', description: 'Fishing boats before sunrise', byline: 'Anna Berg', copyright: 'Example Ltd' },
} satisfies { [Name in FieldEntry<'texts' | 'line'>['name']]: string }

/** Kinds of editable fields in a file's document. */
export const shown = {
  flag: () => z.boolean(),
  keywords: () => Keywords,
  texts: () => Texts,
  line: ({ name }: FieldEntry<'line'>) => answerText(examples[name]),
  day: () => Day.nullable(),
  point: () => FocalPoint,
}

/** The metadata sub-document in answers. */
export const Metadata = z
  .object({
    ...madeOfFields('metadata', shown),
    iptc: Iptc,
    geolocation: Geolocation,
    camera_created: AnswerSeconds.optional().describe('UNIX seconds; absent when unknown'),
  })
  .meta({ id: 'Metadata' })

const STAYS = 'absent: stays as it is'
const absent = <Schema extends z.ZodType>(schema: Schema, { is, later }: FieldEntry) =>
  later ? schema.optional().describe(STAYS) : schema.default(emptyValues[is] as z.util.NoUndefined<z.output<Schema>>)

/** Kinds of editable fields as sent. */
const sent = {
  flag: (entry: FieldEntry) => absent(z.boolean(), entry),
  keywords: (entry: FieldEntry) => absent(KeywordsByLanguage, entry),
  texts: (entry: FieldEntry) => absent(TextByLanguage, entry),
  line: () => LineOrNull.optional().describe(`${STAYS}; null or empty: is cleared`),
  day: ({ name }: FieldEntry<'day'>) => Day.nullable().optional().describe(`${STAYS}; null: ${withoutDay[name]}`),
  point: () => FocalPointInput.optional().describe(`${STAYS}; null: is cleared; of pictures alone`),
}

/** The sub-document as sent. Absent editable fields of the first version become empty. Read-only fields are ignored. */
export const MetadataInput = z
  .strictObject({
    ...madeOfFields('metadata', sent),
    iptc: z.unknown().optional(),
    geolocation: z.unknown().optional(),
    camera_created: z.unknown().optional(),
    ...madeOfFields('document', sent),
  })
  .meta({ id: 'MetadataInput', examples: [{ title: { en: 'The harbour at dawn' }, keywords: { en: ['harbour', 'dawn'] } }] })

/** The facts of a video, in answers. */
const Video = z
  .object({
    duration: z
      .number()
      .nullable()
      .meta({ minimum: 0, description: 'seconds', examples: [12.48] }),
    frame_rate: z
      .number()
      .nullable()
      .meta({ minimum: 0, description: 'frames a second, on average', examples: [25] }),
    video_codec: answerText('h264'),
    audio_codec: answerText('aac').describe('null also where there is no sound'),
  })
  .meta({ id: 'Video', description: 'what is known of a video; null for what is not' })

// It keeps its place in answers.
const { focal_point, ...atTop } = madeOfFields('document', shown)

export const Media = z
  .object({
    id: AnswerMediaId,
    status: z.literal('available').describe('tells the document from the progress of an import'),
    created: AnswerTime,
    type: z.enum([...mediaKinds, 'stock']).describe('`stock` for items of the stock library, which can only be read and downloaded'),
    media_type: z.enum(mediaKinds).describe('what the file is, also of items of the stock library'),
    filename: z.string().meta({ examples: ['harbour.jpg'] }),
    file_number: AnswerFileNumber,
    file_md5: z.string().meta({
      pattern: '^([0-9a-f]{32})?$',
      description: 'empty for items of the stock library that have no file, or whose provider does not tell',
      examples: ['9e107d9d372bb6826bd81d3542a419d6'],
    }),
    uploaded_by: AnswerUploader,
    uploaded_via: z
      .object({ share_id: z.string().meta({ examples: ['k3Jd0vX2Tq6wYpZ9aBcDeQ'] }) })
      .optional()
      .describe('where it was sent by a share link, whose maker is `uploaded_by`; otherwise absent'),
    metadata: Metadata,
    file_mimetype: z.string().meta({ examples: ['image/jpeg'] }),
    file_disksize: z
      .number()
      .int()
      .meta({ minimum: 0, description: 'bytes', examples: [4_194_304] }),
    width: AnswerPixels,
    height: AnswerPixels,
    content_credentials: z
      .literal(true)
      .optional()
      .describe('where the file carries Content Credentials (C2PA), which written metadata would break; otherwise absent'),
    video: Video.optional().describe('of videos; absent otherwise'),
    ...atTop,
    expired: z.boolean(),
    focal_point,
  })
  .meta({
    id: 'Media',
    description:
      'A file of a company, or an item of the stock library. Items have the type `stock`, 0 as `uploaded_by`, and texts and keywords in all ' +
      'of their languages. Only companies with the right to use the stock library see them.',
  })

export const ImportProgress = z
  .object({
    status: z.enum(['importing', 'delayed']),
    progress: z
      .number()
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'percent', examples: [40] }),
  })
  .meta({ id: 'ImportProgress' })

/** A folder that holds the file. */
export const Membership = z.object({ group_id: AnswerFolderId, status: z.literal('RELEASED') }).meta({ id: 'MediaFolder' })
export const MembershipInput = z
  .object({ group_id: FolderIdJson, status: z.literal('RELEASED').optional() })
  .meta({ id: 'MediaFolderInput' })

/** One media id, or several separated by commas. */
export const MediaIdsText = documentedAs(
  z
    .string()
    .transform(splitValues)
    .pipe(z.array(MediaIdText).min(1).max(MAX_EDITED, `must be at most ${MAX_EDITED} ids`))
    .transform((ids) => [...new Set(ids)]),
  z.array(MediaIdText).min(1).max(MAX_EDITED),
)

export const ExpirationDate = z.object({ expiration_date: Day.nullable() }).meta({ id: 'ExpirationDate' })

export function membershipsJson(folders: readonly FolderRecord[]): z.input<typeof Membership>[] {
  return folders.map(({ folderId }) => ({ group_id: folderId, status: 'RELEASED' as const }))
}
