import { api, dataOf, type Schemas } from '../api/client.ts'
import { type FoundFile, titled } from '../files/calls.ts'
import { session } from '../session.svelte.ts'
import { isPicture } from './embed.ts'

export type Alias = Schemas['CdnAlias'] & { company: number }

/** A published file. */
export interface PublishedLink {
  mediaId: number
  folder: number
  company: number
  /** What is known of it. */
  file: FoundFile | undefined
  /** null until the file is imported. */
  url: string | null
  state: Schemas['CdnLink']['state']
}

/** Folders whose files are published, of all companies of the user. */
export async function listAliases(): Promise<Alias[]> {
  const lists = await Promise.all(
    (session.user?.company_ids ?? []).map(async (company) => {
      const { aliases } = await dataOf(api.GET('/cdn/{company}/company/aliases', { params: { path: { company } } }))
      return aliases.map((alias) => ({ ...alias, company }))
    }),
  )
  return lists.flat()
}

/** What lists of links show of files. */
const SHOWN = ['unique_media_id', 'titles', 'filename', 'media_type', 'file_mimetype', 'width', 'height', 'thumbnail_url', 'poster_url']

/** Links of one folder, newest first. */
export async function linksIn(alias: Alias, offset: number, count: number): Promise<{ links: PublishedLink[]; total: number }> {
  const { media, hits } = await find({ folder_ids: String(alias.folder_id), media_offset: String(offset), media_count: String(count) })
  return { links: await linksOf(alias, media), total: hits }
}

/** Links of files in one folder, in their order; those that are not published there are left out. */
export async function linksTo(alias: Alias, ids: readonly number[]): Promise<PublishedLink[]> {
  const { media } = await find({ unique_media_id: ids.join('+'), media_count: String(ids.length) })
  const known = new Map(media.map((file) => [file.unique_media_id, file]))
  return linksOf(
    alias,
    ids.map((id) => known.get(id) ?? { unique_media_id: id }),
  )
}

/** A picture that has a link. */
export interface PublishedPicture {
  id: number
  name: string
  url: string
}

/** Pictures that are published, newest first. @param words that they are found by; empty finds all */
export async function publishedPictures(words: string): Promise<PublishedPicture[]> {
  const folders = (await listAliases()).map(({ folder_id }) => folder_id)
  if (folders.length === 0) return []
  const query = { folder_ids: folders.join('+'), media_type: 'image', media_count: '25', ...(words && { q: words }) }
  const { media } = await find(query, ['cdn_urls'])
  return media.flatMap(({ unique_media_id: id = 0, title, filename = '', cdn_urls: [url] = [] }) =>
    url && isPicture(url) ? { id, name: title || filename, url } : [],
  )
}

async function find(query: Record<string, string>, more: readonly string[] = []): Promise<Schemas['SearchResult']['response']> {
  const asked = { ...query, return_values: [...SHOWN, ...more].join('+'), thumbnail_size: '200px' }
  const { response } = await dataOf(api.GET('/search', { params: { query: asked as never } }))
  return { ...response, media: response.media.map(titled) }
}

async function linksOf(alias: Alias, files: readonly FoundFile[]): Promise<PublishedLink[]> {
  const links = await Promise.all(
    files.map(async (file) => {
      const link = await linkOf(alias, file.unique_media_id ?? 0).catch(() => undefined)
      return link && { ...link, file }
    }),
  )
  return links.filter((link) => link !== undefined)
}

async function linkOf({ company, folder_id: folder }: Alias, mediaId: number): Promise<Omit<PublishedLink, 'file'>> {
  const path = { company, folder, media: mediaId }
  const { url, state } = await dataOf(api.GET('/cdn/{company}/folder/{folder}/link/{media}', { params: { path } }))
  return { mediaId, folder, company, url, state }
}

export const publish = (mediaId: number, { folder_id: folderId }: Alias) =>
  dataOf(api.POST('/media/{id}/folder/{folderId}', { params: { path: { id: mediaId, folderId } } }))

export const unpublish = ({ mediaId, folder }: PublishedLink) =>
  dataOf(api.DELETE('/media/{id}/folder/{folderId}', { params: { path: { id: mediaId, folderId: folder } } }))

export const replace = ({ mediaId, folder, company }: PublishedLink, by: number) =>
  dataOf(
    api.POST('/cdn/{company}/folder/{folder}/replace/{old}/with/{new}', { params: { path: { company, folder, old: mediaId, new: by } } }),
  )
