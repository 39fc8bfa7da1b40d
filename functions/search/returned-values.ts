import * as z from 'zod'
import type { UrlSigner } from '../../shared/backends/edge/port.ts'
import { inheritedTags } from '../../shared/library/folders/inherited-tags.ts'
import { thumbnailUrl } from '../../shared/library/media/delivery.ts'
import type { AvailableMedia, RenditionSize } from '../../shared/library/media/media.ts'
import type { SearchScope } from '../../shared/library/search/scope.ts'
import { timestamp } from '../../shared/library/time.ts'

/** What the values of a file depend on besides the file. */
export interface Shown {
  media: AvailableMedia
  /** Scope that it was found in. */
  scope: SearchScope
  urls: UrlSigner
  thumbnailSize: RenditionSize
  /** UNIX milliseconds */
  now: number
}

/** The file's folders that the caller can read, in search's eyes: without trashcans that weren't asked for. */
const foldersOf = ({ media, scope }: Shown) => media.folders.flatMap((contents) => scope.shown(contents) ?? [])
/** One of those that were searched. */
const folderOf = ({ media, scope }: Shown) => media.folders.map((contents) => scope.searched(contents)).find((id) => id !== undefined)
const thumbnail = ({ urls, media, thumbnailSize, now }: Shown) => thumbnailUrl(urls, media, thumbnailSize, now)

/** Every value that search can return (decision 33); names that stand nowhere here are ignored. */
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
  title: ({ media }) => media.title.en ?? null,
  description: ({ media }) => media.description.en ?? null,
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
  // Links come with the CDN endpoints; until one exists the interface says: empty.
  cdn_urls: () => [],
}

export const FoundMedia = z
  .object({
    keywords: z.array(z.string()),
    folder_tags: z.array(z.string()),
    suggested_keywords: z.array(z.string()),
    media_type: z.enum(['image', 'vector', 'video', 'generic']),
    height: z.number().nullable(),
    width: z.number().nullable(),
    unique_media_id: z.number().int(),
    media_id: z.number().int(),
    folder_id: z.number().int().nullable(),
    folder_ids: z.array(z.number().int()),
    created: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    thumbnail_url: z.string(),
    thumbnail_url_ssl: z.string(),
    filename: z.string(),
    copyright: z.string().nullable(),
    camera_created: z.number().int().nullable(),
    byline: z.string().nullable(),
    file_mimetype: z.string(),
    file_disksize: z.number().int(),
    uploaded_by: z.number().int(),
    geo_location: z.object({ latitude: z.string(), longitude: z.string() }).partial(),
    cdn_urls: z.array(z.string()),
  })
  .partial()
  .meta({ id: 'FoundMedia' })

/** The values asked for, of one file. */
export async function returnedValues(names: readonly string[], shown: Shown): Promise<z.input<typeof FoundMedia>> {
  const known = [...new Set(names)].filter((name) => Object.hasOwn(values, name))
  return Object.fromEntries(await Promise.all(known.map(async (name) => [name, await values[name]!(shown)] as const)))
}
