import { api, dataOf, type Schemas } from '../api/client.ts'
import { pictureOf } from '../files/calls.ts'
import { session } from '../session.svelte.ts'

export type Alias = Schemas['CdnAlias'] & { company: number }

/** A published file. */
export interface PublishedLink {
  mediaId: number
  folder: number
  company: number
  title: string
  thumbnail: string | undefined
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

/** Links of one folder, newest first. */
export async function linksIn(alias: Alias, offset: number, count: number): Promise<{ links: PublishedLink[]; total: number }> {
  const query = {
    folder_ids: [alias.folder_id],
    return_values: ['unique_media_id', 'title', 'filename', 'thumbnail_url', 'poster_url'] as const,
    media_offset: offset,
    media_count: count,
  }
  const { response } = await dataOf(api.GET('/search', { params: { query: query as never } }))
  const links = await Promise.all(
    response.media.map(async (file) => {
      const { unique_media_id: mediaId = 0, title, filename = '' } = file
      const link = await linkOf(alias, mediaId).catch(() => undefined)
      return link && { ...link, title: title || filename, thumbnail: pictureOf(file) }
    }),
  )
  return { links: links.filter((link) => link !== undefined), total: response.hits }
}

export async function linkOf({ company, folder_id: folder }: Alias, mediaId: number): Promise<PublishedLink> {
  const path = { company, folder, media: mediaId }
  const { url, state } = await dataOf(api.GET('/cdn/{company}/folder/{folder}/link/{media}', { params: { path } }))
  return { mediaId, folder, company, title: '', thumbnail: undefined, url, state }
}

export const publish = (mediaId: number, { folder_id: folderId }: Alias) =>
  dataOf(api.POST('/media/{id}/folder/{folderId}', { params: { path: { id: mediaId, folderId } } }))

export const unpublish = ({ mediaId, folder }: PublishedLink) =>
  dataOf(api.DELETE('/media/{id}/folder/{folderId}', { params: { path: { id: mediaId, folderId: folder } } }))

export const replace = ({ mediaId, folder, company }: PublishedLink, by: number) =>
  dataOf(
    api.POST('/cdn/{company}/folder/{folder}/replace/{old}/with/{new}', { params: { path: { company, folder, old: mediaId, new: by } } }),
  )
