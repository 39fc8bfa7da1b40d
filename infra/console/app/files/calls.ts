import { api, dataOf, type Schemas } from '../api/client.ts'
import { childrenOf } from '../folders/calls.ts'
import type { Parameters } from './query.ts'

// ThumbHashes come with the layout of large lists.
export type FoundFile = Schemas['FoundMedia'] & { thumbhash?: string | null }

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
  'title',
  'filename',
  'media_type',
  'width',
  'height',
  'created',
  'file_disksize',
  'file_mimetype',
  'thumbnail_url',
  'thumbhash',
]

/** Most files that one request asks about. */
export const MOST_ASKED = 200

/** Whether the import of a file has ended. */
export async function isImported(id: number): Promise<boolean> {
  const { response } = await api.GET('/media/{id}', { params: { path: { id } } })
  return response.status !== 202
}

/** Most files that a search pages through, and that one answer holds. */
const REACH = 10_000
const PAGE = 1_000

/** Pages through the search, which reaches the first 10,000 files, until there is a call that tells the layout of any number of them. */
export async function layoutSlice(parameters: Parameters, offset: number, count: number, signal: AbortSignal): Promise<Slice> {
  const slice: Slice = { hits: 0, ids: [], ratios: [], days: [] }
  const end = Math.min(offset + count, REACH)
  for (let at = offset; at < end; at += PAGE) {
    const query = {
      ...(await everywhere(parameters)),
      return_values: 'unique_media_id+width+height+created',
      media_offset: String(at),
      media_count: String(Math.min(PAGE, end - at)),
    }
    const { response } = await dataOf(api.GET('/search', { params: { query: query as never }, signal }))
    slice.hits = Math.min(response.hits, REACH)
    for (const { unique_media_id: id = 0, width, height, created = '' } of response.media) {
      slice.ids.push(id)
      slice.ratios.push(width && height ? Math.round((100 * width) / height) : 0)
      const day = created.slice(0, 10)
      const last = slice.days.at(-1)
      if (last?.[0] === day) last[1]++
      else slice.days.push([day, 1])
    }
    if (response.media.length < PAGE) break
  }
  return slice
}

async function everywhere({ all, ...parameters }: Parameters): Promise<Parameters> {
  if (!all || parameters.q) return parameters
  const roots = (await childrenOf(undefined)).filter(({ permissions }) => !permissions.groups.includes('TRASH'))
  return { ...parameters, folder_ids: roots.map(({ id }) => id).join('+'), recursive: 'true' }
}

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
  return response.media
}
