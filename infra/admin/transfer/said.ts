import * as z from 'zod'
import { FocalPointInput, KeywordsByLanguage, Line, TextByLanguage } from '../../../functions/media/schema.ts'
import { Day } from '../../../shared/http/declaration/fields.ts'
import type { EditableMetadata } from '../../../shared/library/media/media.ts'
import { Id } from '../../../shared/library/transfer/people.ts'
import { InLibrary } from '../../../shared/library/transfer/place.ts'
import { fieldColumns } from '../../../shared/tools/sidecars/columns.ts'
import { keywordsIn, readJsonSidecar } from '../../../shared/tools/sidecars/json.ts'
import { readXmp } from '../../../shared/tools/sidecars/xmp.ts'
import { byField, isByLanguage, madeOfFields } from '../../../shared/vocabulary/editable-fields.ts'
import { NOBODY } from '../../../shared/vocabulary/ids.ts'
import { pointIn } from '../../../shared/vocabulary/point.ts'

/** What is said of a file outside of it. */
export interface Said {
  metadata: Partial<EditableMetadata>
  filename?: string | undefined
  /** UNIX milliseconds. */
  created?: number | undefined
  /** Path of the folder in the library. */
  folder?: string | undefined
  sourceId?: string | undefined
  /** Who uploaded it, by the id in its library. */
  uploadedBy?: number | undefined
  library?: InLibrary | undefined
}

/** The language of what names none. */
const LANGUAGE = 'en'

/** UTC: a day, `2026-05-17 09:30:00` or ISO 8601. */
const Time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/, 'must be a day or a time, like 2026-05-17 09:30:00')
  .transform((text) =>
    Date.parse(/[Z+]|-\d{2}:?\d{2}$/.test(text.slice(10)) || text.length === 10 ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`),
  )
  .refine((time) => Number.isSafeInteger(time) && time >= 0, 'must be a time after 1970')

const Focus = z.string().transform((text, context) => {
  const point = pointIn(text)
  if (!point) context.addIssue({ code: 'custom', message: 'must be a point of the picture, like 0.5,0.25' })
  return point ?? z.NEVER
})

const Texts = z.union([z.string().transform((text) => ({ [LANGUAGE]: text })), z.record(z.string(), z.string())]).pipe(TextByLanguage)
const Keywords = z
  .union([
    z.string().transform((text) => ({ [LANGUAGE]: keywordsIn(text) })),
    z.array(z.string()).transform((list) => ({ [LANGUAGE]: list })),
    z.record(z.string(), z.array(z.string())),
  ])
  .pipe(KeywordsByLanguage)

/** A line of a manifest. What is empty is not said. */
export const Row = z.preprocess(
  (row) => Object.fromEntries(Object.entries(Object(row)).filter(([, value]) => value !== '' && value !== null)),
  z.strictObject({
    path: z.string().max(4_096),
    folder: z.string().max(4_096).optional(),
    ...madeOfFields('manifest', {
      texts: () => Texts.optional(),
      line: () => Line.optional(),
      day: () => Day.optional(),
      keywords: () => Keywords.optional(),
      point: () => Focus.optional(),
    }),
    created: Time.optional(),
    source_id: z
      .union([z.string(), z.number().int().transform(String)])
      .pipe(z.string().min(1).max(200))
      .optional(),
  }),
)
export type Row = z.infer<typeof Row>

/** The columns of a manifest, in the order in which an export writes them. */
export const COLUMNS: readonly string[] = ['path', 'folder', ...Object.keys(fieldColumns), 'created', 'source_id']

const inDocument = {
  texts: () => TextByLanguage.optional(),
  keywords: () => KeywordsByLanguage.optional(),
  line: () => Line.nullable().optional(),
  day: () => Day.nullable().optional(),
  flag: () => z.boolean().optional(),
  point: () => FocalPointInput.optional(),
}
const metadata = madeOfFields('metadata', inDocument)
const atTop = madeOfFields('document', inDocument)

/** What is taken of a file's document as downloads and exports write it beside the file. */
const Document = z.object({
  filename: z.string().optional(),
  created: Time.optional(),
  metadata: z.object(metadata).optional(),
  ...atTop,
  uploaded_by: Id.or(z.literal(NOBODY)).optional(),
  library: InLibrary.optional(),
})

/** A document, or a flat one. @throws Error that says what is wrong with it */
export function saidByJson(text: string): Said {
  const document = parsed(Document, readJsonSidecar(text))
  const { filename, created, metadata, uploaded_by: uploadedBy, library, ...beside } = document
  return { filename, created, uploadedBy, library, metadata: byField({ ...metadata, ...beside }) }
}

/** @throws Error that says what is wrong with it */
export function saidByXmp(text: string): Said {
  const { title, description, byline, copyright, keywords } = readXmp(text)
  const said = { title, description, byline, copyright, keywords: { [LANGUAGE]: [...keywords] } }
  const isSaid = ([, value]: [string, unknown]) =>
    typeof value === 'string' ? value !== '' : Object.values(Object(value)).flat().length > 0
  return { metadata: byField(parsed(Described, Object.fromEntries(Object.entries(said).filter(isSaid)))) }
}

const Described = z.object({ ...metadata, ...atTop })

/** A row says more than what is beside the file: of texts and keywords in the languages that it names. */
export function saidByRow(row: Row | undefined, beside: Said): Said {
  if (!row) return beside
  const { folder, created, source_id: sourceId, path: _, ...named } = row
  return { ...beside, ...given({ folder, created, sourceId }), metadata: withSaid(beside.metadata, byField(named)) }
}

function withSaid(metadata: Partial<EditableMetadata>, said: Partial<EditableMetadata>): Partial<EditableMetadata> {
  const values = Object.entries(said).map(([field, value]) => {
    const isWhole = typeof value !== 'object' || value === null || !isByLanguage(field as keyof EditableMetadata)
    return [field, isWhole ? value : { ...Object(metadata[field as keyof EditableMetadata]), ...value }]
  })
  return { ...metadata, ...Object.fromEntries(values) }
}

/** @throws Error that names the first thing that is wrong */
export function parsed<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const { path = [], message = '' } = error.issues[0] ?? {}
  throw new Error(`${path.join('.')} ${message}`.trim())
}

type Given<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> }

function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>
}
