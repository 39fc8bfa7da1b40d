import * as z from 'zod'
import {
  AnswerFileNumber,
  AnswerFolderId,
  AnswerIsoTime,
  AnswerMediaId,
  AnswerPixels,
  AnswerSeconds,
  AnswerTime,
  AnswerUserId,
  answerText,
  Day,
} from '../../shared/http/declaration/fields.ts'
import { documentedAs } from '../../shared/http/declaration/json-schema.ts'
import { isoTime, timestamp } from '../../shared/library/time.ts'
import type { Trashed } from '../../shared/library/trash/trashed.ts'
import { type FieldEntry, fieldValue, madeOfFields } from '../../shared/vocabulary/editable-fields.ts'
import { mediaKinds } from '../../shared/vocabulary/media-kind.ts'
import type { ShownMedia } from '../../shared/vocabulary/shown-media.ts'
import { examples, FocalPoint, Texts } from '../media/schema.ts'
import type { ShownFolders } from './shown-folders.ts'

/** A hit of a search, with what its values depend on. */
export interface Shown {
  item: ShownMedia
  /** Chooses what the caller reads of a text, or of keywords, in several languages. */
  inLanguage<Value extends string | string[]>(languages: { [language: string]: Value }): Value | undefined
  folders: ShownFolders
  /** URL of its picture. Absent where none is asked for. */
  thumbnailUrl: string | undefined
  /** URL of a video's poster. Absent where there is none, and where none is asked for. */
  posterUrl: string | undefined
  /** URLs of its published links. Empty where `cdn_urls` isn't asked for. */
  cdnUrls: readonly string[]
  /** The trash entry of a file in a trashcan. Absent where that isn't asked for. */
  trashed: Trashed | undefined
}

type Value = (shown: Shown) => unknown

const asItIs =
  ({ field }: FieldEntry): Value =>
  ({ item }) =>
    fieldValue(item, field)
const read = {
  texts:
    ({ field }: FieldEntry<'texts'>): Value =>
    ({ item, inLanguage }) =>
      inLanguage(fieldValue(item, field)) || null,
  keywords:
    ({ field }: FieldEntry<'keywords'>): Value =>
    ({ item, inLanguage }) =>
      inLanguage(fieldValue(item, field)) ?? [],
  ...{ line: asItIs, day: asItIs, flag: asItIs, point: asItIs },
}

/** Every value that search can return. Other names are ignored. */
const values: Record<string, Value> = {
  ...madeOfFields('search', read),
  folder_tags: ({ folders }) => folders.tags(),
  suggested_keywords: ({ item }) => item.suggestedKeywords,
  media_type: ({ item }) => item.kind,
  height: ({ item }) => item.height,
  width: ({ item }) => item.width,
  unique_media_id: ({ item }) => item.mediaId,
  media_id: ({ item }) => item.mediaId,
  folder_id: ({ folders }) => folders.searched(),
  folder_ids: ({ folders }) => folders.ids(),
  created: ({ item }) => timestamp(item.created),
  titles: ({ item }) => item.title,
  thumbnail_url: ({ thumbnailUrl }) => thumbnailUrl,
  thumbnail_url_ssl: ({ thumbnailUrl }) => thumbnailUrl,
  poster_url: ({ posterUrl }) => posterUrl ?? null,
  filename: ({ item }) => item.filename,
  version: ({ item }) => item.version ?? null,
  file_number: ({ item }) => item.fileNumber ?? 1,
  thumbhash: ({ item }) => item.thumbhash ?? null,
  file_md5: ({ item }) => item.md5 ?? '',
  camera_created: ({ item }) => item.cameraCreated,
  file_mimetype: ({ item }) => item.mime,
  file_disksize: ({ item }) => item.bytes,
  uploaded_by: ({ item }) => item.uploadedBy,
  geo_location: ({ item: { geolocation } }) => (geolocation ? { latitude: geolocation.latitude, longitude: geolocation.longitude } : {}),
  cdn_urls: ({ cdnUrls }) => cdnUrls,
  trashed_at: ({ trashed }) => (trashed ? isoTime(trashed.at) : null),
  trashed_from: ({ trashed }) => trashed?.from ?? null,
}

const words = z.array(z.string().meta({ examples: ['harbour'] }))
const url = z.string().meta({ format: 'uri', examples: ['https://files.example.com/renditions/902114?Signature=MEUCIQD'] })
const thumbnailAddress = url.describe('good for a day; the same address for an hour')

const found = {
  texts: ({ name }: FieldEntry<'texts'>) => answerText(examples[name]),
  keywords: () => words,
  line: ({ name }: FieldEntry<'line'>) => answerText(examples[name]),
  day: () => Day.nullable().describe('its last day; null where it has none'),
  flag: () => z.boolean(),
  point: () => FocalPoint,
}
// These keep their places in answers.
const { keywords, title, description, copyright, byline, ...otherFields } = madeOfFields('search', found)

export const FoundMedia = z
  .object({
    keywords,
    folder_tags: words.describe('inherited from folders'),
    suggested_keywords: words.describe('from object recognition'),
    media_type: z.enum(mediaKinds),
    height: AnswerPixels,
    width: AnswerPixels,
    unique_media_id: AnswerMediaId,
    media_id: AnswerMediaId,
    folder_id: AnswerFolderId.nullable().describe('one of its folders, of those searched'),
    folder_ids: z.array(AnswerFolderId).describe('all of its folders that the caller may read; trashcans only where the search names them'),
    created: AnswerTime,
    title,
    titles: Texts.describe('in all of its languages'),
    description,
    thumbnail_url: thumbnailAddress,
    thumbnail_url_ssl: thumbnailAddress,
    poster_url: url.nullable().describe('a frame of a video, as large as its preview, good for a day; null for what has none'),
    filename: z.string().meta({ examples: ['harbour.jpg'] }),
    version: z
      .number()
      .int()
      .nullable()
      .meta({ minimum: 1, description: 'counts changes of the file and its metadata; null for items of a provider', examples: [3] }),
    file_number: AnswerFileNumber,
    thumbhash: z
      .string()
      .nullable()
      .meta({
        description: 'a ThumbHash of its picture in base64, to show until the picture is there; null where there is none',
        examples: ['1QcSHQRnh493V4dIh4eXh1h4kJUI'],
      }),
    file_md5: z
      .string()
      .meta({ description: 'lower-case hex; empty where it is not known', examples: ['9e107d9d372bb6826bd81d3542a419d6'] }),
    copyright,
    camera_created: AnswerSeconds.nullable(),
    byline,
    ...otherFields,
    file_mimetype: z.string().meta({ examples: ['image/jpeg'] }),
    file_disksize: z
      .number()
      .int()
      .meta({ minimum: 0, description: 'bytes', examples: [4_194_304] }),
    uploaded_by: AnswerUserId,
    geo_location: z
      .object({ latitude: z.string(), longitude: z.string() })
      .partial()
      .meta({ examples: [{ latitude: '55.6795', longitude: '12.5945' }] }),
    cdn_urls: z.array(url).describe('of its links, as soon as they are published'),
    trashed_at: AnswerIsoTime.nullable().describe('since when it is in a trashcan that the search names; null for other files'),
    trashed_from: AnswerFolderId.nullable().describe('the folder that it was in before; null where it is not known'),
  })
  .partial()
  .meta({ id: 'FoundMedia' })

/** The name of a value. */
export const ReturnValue = documentedAs(z.string(), z.enum(Object.keys(FoundMedia.shape) as [string, ...string[]]))

/** Reads the requested values of each hit. */
export function valuesOf(names: readonly string[]): (shown: Shown) => z.input<typeof FoundMedia> {
  const known = [...new Set(names)].filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]!] as const)
  return (shown) => {
    const found: Record<string, unknown> = {}
    for (const [name, value] of known) found[name] = value(shown)
    return found
  }
}

/**
 * URLs of the pictures of hits, where the requested values have one.
 * @param sign makes the URL of one hit's picture
 */
export async function thumbnailsOf<Hit>(
  names: readonly string[],
  hits: readonly Hit[],
  sign: (hit: Hit) => Promise<string>,
): Promise<readonly string[]> {
  return names.includes('thumbnail_url') || names.includes('thumbnail_url_ssl') ? Promise.all(hits.map(sign)) : []
}
