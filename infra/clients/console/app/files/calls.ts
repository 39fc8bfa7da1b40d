import { api, dataOf, type Schemas } from '../api/client.ts'
import { inLanguage } from '../language/in-language.ts'
import { language } from '../language/language.svelte.ts'
import type { Parameters } from './query.ts'

export type FoundFile = Schemas['FoundMedia']

/** Order and shapes of a list's files. */
export interface Slice {
  /** Of the whole list. */
  hits: number
  ids: number[]
  /** 100 x width / height, 0 where unknown. */
  ratios: number[]
  /** Files of each day, where the order has days. */
  days: [day: string, count: number][]
}

/** What tiles and rows show. */
const SHOWN = [
  'unique_media_id',
  'titles',
  'filename',
  'media_type',
  'width',
  'height',
  'created',
  'file_disksize',
  'file_mimetype',
  'camera_created',
  'byline',
  'expiration_date',
  'folder_ids',
  'thumbnail_url',
  'poster_url',
  'thumbhash',
]

/** Most files that one request asks about. */
export const MOST_ASKED = 200

/** Whether the import of a file has ended. */
export async function isImported(id: number): Promise<boolean> {
  const { response } = await api.GET('/media/{id}', { params: { path: { id } } })
  return response.status !== 202
}

/** Order and shapes of a part of what a search finds. */
export async function layoutSlice(parameters: Parameters, offset: number, count: number, signal: AbortSignal): Promise<Slice> {
  const query = { ...parameters, media_offset: String(offset), media_count: String(count) }
  // The document's types have no tuples.
  return (await dataOf(api.GET('/search/layout', { params: { query: query as never }, signal }))) as Slice
}

/** A file of which all `titles` were asked for, with the one that its reader is shown. */
export const titled = ({ titles = {}, ...file }: FoundFile): FoundFile => ({ ...file, title: inLanguage(titles, language.code) ?? null })

/** What is shown of some files. @param folder where they are: files in the trash are found in no other way */
export async function describe(ids: readonly number[], size: string, folder: Parameters): Promise<FoundFile[]> {
  const query = {
    ...folder,
    unique_media_id: ids.join('+'),
    return_values: SHOWN.join('+'),
    media_count: String(ids.length),
    thumbnail_size: size,
  }
  const { response } = await dataOf(api.GET('/search', { params: { query: query as never } }))
  return response.media.map(titled)
}

/** How many files a search finds. */
export async function countFiles(search: Parameters): Promise<number> {
  const query = { ...search, return_values: 'unique_media_id', media_count: '0' }
  return (await dataOf(api.GET('/search', { params: { query: query as never } }))).response.hits
}

/** The folders that hold files, of those that the user may see. @param ids at most `MOST_ASKED` */
export async function foldersHolding(ids: readonly number[], scope: Parameters = {}): Promise<Map<number, number[]>> {
  const query = {
    ...scope,
    unique_media_id: ids.join('+'),
    return_values: 'unique_media_id+folder_ids',
    media_count: String(ids.length),
  }
  const { response } = await dataOf(api.GET('/search', { params: { query: query as never } }))
  return new Map(response.media.map(({ unique_media_id: id = 0, folder_ids: folders = [] }) => [id, folders]))
}
