import * as z from 'zod'
import { AnswerId, AnswerSeconds, AnswerTime } from '../../shared/http/fields.ts'
import { shownAs } from '../../shared/http/shown-as.ts'
import { type Delivering, thumbnailUrl } from '../../shared/library/media/delivery.ts'
import type { AvailableMedia } from '../../shared/library/media/media.ts'
import type { SearchScope } from '../../shared/library/search/scope.ts'
import { timestamp } from '../../shared/library/time.ts'
import { inheritedTags } from '../../shared/library/tree/tree.ts'
import { mediaKinds } from '../../shared/library/vocabulary/media-kind.ts'
import type { RenditionSize } from '../../shared/library/vocabulary/rendition-size.ts'

/** A found file, with what its values depend on. */
export interface Shown extends Delivering {
  media: AvailableMedia
  /** Scope of the search. */
  scope: SearchScope
  thumbnailSize: RenditionSize
  /** URLs of its published links. Empty where `cdn_urls` isn't asked for. */
  cdnUrls: readonly string[]
}

/** The file's folders that the caller can read. Trashcans are left out, unless the search names them. */
const foldersOf = ({ media, scope }: Shown) => media.folders.flatMap((contents) => scope.shown(contents) ?? [])
/** One of the searched folders that contain the file. */
const folderOf = ({ media, scope }: Shown) => media.folders.map((contents) => scope.searched(contents)).find((id) => id !== undefined)
const thumbnail = ({ media, thumbnailSize, ...library }: Shown) => thumbnailUrl(library, media, thumbnailSize)

/** Every value that search can return. Other names are ignored. */
const values: Record<string, (shown: Shown) => unknown> = {
  keywords: ({ media }) => media.keywords.en ?? [],
  folder_tags: (shown) => [...new Set(foldersOf(shown).flatMap((folderId) => inheritedTags(shown.scope.tree, folderId)))],
  suggested_keywords: ({ media }) => media.suggestedKeywords,
  media_type: ({ media }) => media.kind,
  height: ({ media }) => media.height,
  width: ({ media }) => media.width,
  unique_media_id: ({ media }) => media.mediaId,
  media_id: ({ media }) => media.mediaId,
  folder_id: (shown) => folderOf(shown) ?? null,
  folder_ids: foldersOf,
  created: ({ media }) => timestamp(media.created),
  title: ({ media }) => media.title.en || null,
  description: ({ media }) => media.description.en || null,
  thumbnail_url: thumbnail,
  thumbnail_url_ssl: thumbnail,
  filename: ({ media }) => media.filename,
  copyright: ({ media }) => media.copyright,
  camera_created: ({ media }) => media.cameraCreated,
  byline: ({ media }) => media.byline,
  file_mimetype: ({ media }) => media.mime,
  file_disksize: ({ media }) => media.bytes,
  uploaded_by: ({ media }) => media.uploadedBy,
  geo_location: ({ media: { geolocation } }) => (geolocation ? { latitude: geolocation.latitude, longitude: geolocation.longitude } : {}),
  cdn_urls: ({ cdnUrls }) => cdnUrls,
}

const words = z.array(z.string().meta({ examples: ['harbour'] }))
const line = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] })
const pixels = z
  .number()
  .int()
  .nullable()
  .meta({ description: 'pixels; null for what has none', examples: [3000] })
const url = z.string().meta({ format: 'uri', examples: ['https://files.example.com/renditions/1843027?Signature=MEUCIQD'] })
const thumbnailAddress = url.describe('good for a day')

export const FoundMedia = z
  .object({
    keywords: words,
    folder_tags: words.describe('inherited from folders'),
    suggested_keywords: words.describe('from object recognition'),
    media_type: z.enum(mediaKinds),
    height: pixels,
    width: pixels,
    unique_media_id: AnswerId,
    media_id: AnswerId,
    folder_id: AnswerId.nullable().describe('one of its folders, of those searched'),
    folder_ids: z.array(AnswerId),
    created: AnswerTime,
    title: line('The harbour at dawn'),
    description: line('Fishing boats before sunrise'),
    thumbnail_url: thumbnailAddress,
    thumbnail_url_ssl: thumbnailAddress,
    filename: z.string().meta({ examples: ['harbour.jpg'] }),
    copyright: line('Example Ltd'),
    camera_created: AnswerSeconds.nullable(),
    byline: line('Anna Berg'),
    file_mimetype: z.string().meta({ examples: ['image/jpeg'] }),
    file_disksize: z
      .number()
      .int()
      .meta({ minimum: 0, description: 'bytes', examples: [4_194_304] }),
    uploaded_by: AnswerId,
    geo_location: z
      .object({ latitude: z.string(), longitude: z.string() })
      .partial()
      .meta({ examples: [{ latitude: '55.6795', longitude: '12.5945' }] }),
    cdn_urls: z.array(url).describe('of its links, as soon as they are published'),
  })
  .partial()
  .meta({ id: 'FoundMedia' })

/** The name of a value. */
export const ReturnValue = shownAs(z.string(), z.enum(Object.keys(FoundMedia.shape) as [string, ...string[]]))

/** The requested values of one file. */
export async function returnedValues(names: readonly string[], shown: Shown): Promise<z.input<typeof FoundMedia>> {
  const known = [...new Set(names)].filter((name) => Object.hasOwn(values, name))
  return Object.fromEntries(await Promise.all(known.map(async (name) => [name, await values[name]!(shown)] as const)))
}
