import * as z from 'zod'
import { FIRST_PROVIDED_ID, MAX_ID } from '../../vocabulary/ids.ts'
import { mediaKinds } from '../../vocabulary/media-kind.ts'
import { languageCode, metadataLimits } from '../../vocabulary/metadata-limits.ts'
import { renditionSizes } from '../../vocabulary/rendition-size.ts'

/*
 * Schemas of a stock provider's answers, which also make the OpenAPI file for providers. They remove control characters from texts.
 * Anything else that is invalid makes the whole answer unusable.
 */

/** Largest id of an item at a provider: `FIRST_PROVIDED_ID` is added to it. */
const MAX_ITEM_ID = MAX_ID - FIRST_PROVIDED_ID

/** Most items of a page. */
export const MAX_PAGE = 1_000

/** Clients read the number of hits as Int32. */
const MAX_TOTAL = 2 ** 31 - 1

const MAX_PIXELS = 1_000_000

/** Control characters except tab, line feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** One path segment without control characters and bidirectional controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keeping them out is the point.
const FILENAME = /^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+$/

const text = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .transform((value) => value.toWellFormed().replace(CONTROLS, '').normalize('NFC'))

const line = text(metadataLimits.line).nullable().default(null)

/** @param values schema of the values of one language */
const byLanguage = <Values extends z.ZodType>(values: Values) =>
  z
    .record(z.string().regex(languageCode), values)
    .refine((languages) => Object.keys(languages).length <= metadataLimits.stockLanguages, 'has too many languages')
    .meta({ maxProperties: metadataLimits.stockLanguages })

const texts = byLanguage(text(metadataLimits.text)).default({})

const keywords = z
  .array(text(metadataLimits.keyword))
  .max(metadataLimits.keywords)
  .transform((list) => [...new Set(list.map((keyword) => keyword.trim()).filter((keyword) => keyword !== ''))])

const pixels = z.int().min(1).max(MAX_PIXELS).nullable().default(null)

/** Years with four digits in UTC, in UNIX milliseconds: clients can't read others. */
const [FIRST_TIME, LAST_TIME] = [Date.UTC(1000, 0), Date.UTC(10_000, 0) - 1]

/** @returns UNIX milliseconds */
const time = z.iso
  .datetime({ offset: true })
  .transform((value) => Date.parse(value))
  .refine((ms) => ms >= FIRST_TIME && ms <= LAST_TIME, 'is of a year that has not four digits')

const codec = z.string().max(50).nullable().default(null)

export const Item = z
  .object({
    id: z.int().min(1).max(MAX_ITEM_ID).describe('Stays the same for as long as there is the item.'),
    kind: z.enum(mediaKinds).describe('Films are videos; documents and all else are generic.'),
    created: time.describe('Since when the item is offered.'),
    filename: z.string().max(255).regex(FILENAME),
    mime: z.string().regex(/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/),
    bytes: z.int().min(0).describe('Of the original.'),
    md5: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .nullable()
      .default(null)
      .describe('Of the original, where it is known.'),
    width: pixels.describe('Pixels as shown.'),
    height: pixels.describe('Pixels as shown.'),
    title: texts.describe('By language code.'),
    description: texts.describe('By language code.'),
    keywords: byLanguage(keywords).default({}).describe('By language code.'),
    byline: line,
    copyright: line,
    expires: z.iso.date().nullable().default(null).describe('The last day on which the item may be used.'),
    editorial: z.boolean().default(false),
    adult_content: z.boolean().default(false),
    position: z
      .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
      .nullable()
      .default(null)
      .describe('Where it was taken, in degrees.'),
    camera_created: time.nullable().default(null).describe('When it was taken.'),
    video: z
      .object({
        seconds: z.number().min(0).nullable().default(null),
        frame_rate: z.number().min(0).nullable().default(null),
        video_codec: codec,
        audio_codec: codec,
      })
      .nullable()
      .default(null)
      .describe('Of videos, where it is known.'),
    thumbnails: z
      .partialRecord(z.enum(renditionSizes), z.url())
      .default({})
      .describe('Addresses, good for a day, of pictures in JPEG or PNG by the longest side in pixels. Any of these sizes may be missing.'),
  })
  .meta({ id: 'Item' })

export type ProvidedItem = z.output<typeof Item>

/** One page of hits. @param limit most items requested @param ids ids of the items requested; any if absent */
export const pageOf = (limit: number, ids?: readonly number[]) =>
  z.object({
    total: z.int().min(0).max(MAX_TOTAL).describe('How many items match, exactly.'),
    items: z
      .array(Item)
      .max(limit)
      .refine((items) => items.every(({ id }) => ids?.includes(id) ?? true), 'has items that were not asked for')
      .describe('In the order that was asked for, each once.'),
  })

/** An item by its id; any other item is invalid. */
export const itemWith = (id: number) => Item.refine((item) => item.id === id, 'is not the one that was asked for')

/** Where an item can be downloaded. @param allowed returns the address to pass on, or undefined */
export const downloadFrom = (allowed: (url: string) => string | undefined) =>
  z.object({
    url: z
      .url()
      .transform((url) => allowed(url) ?? '')
      .refine((url) => url !== '', 'is at a host that is not allowed')
      .describe('Good for five minutes at least, counted from the last time that it is answered.'),
    metadata_written: z
      .boolean()
      .default(true)
      .describe('false where title, description, keywords and copyright should be in the file and could not be written.'),
  })
