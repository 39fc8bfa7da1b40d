import { api, dataOf } from '../api/client.ts'
import { slicesOf } from '../api/slices.ts'
import { MOST_ASKED } from '../files/calls.ts'
import { itemsNamed } from './items-named.ts'

/** Files of one answer. */
const PAGE = 1_000

/** A file of a folder, as far as uploads to the folder need to know it. */
export interface FileThere {
  id: number
  /** Composed, as the library keeps names. */
  name: string
  bytes: number
  /** When the first of its versions came, as `2026-05-17 10:00:00` in UTC. */
  created: string
  md5: string
  /** Of its current version: 1 for what was never replaced. */
  number: number
}

/** Those of some files that lie in a folder, by id. Files that are being imported may be absent. @throws MediaLibraryError */
export async function filesWithIds(folder: number, ids: readonly number[]): Promise<Map<number, FileThere>> {
  const there = new Map<number, FileThere>()
  for (const some of slicesOf(ids, MOST_ASKED))
    for (const file of (await find(folder, { unique_media_id: some.join('+') })).files) there.set(file.id, file)
  return there
}

/** The files of a folder that have one of some names, by name, the newest first. @throws MediaLibraryError */
export async function filesNamed(folder: number, names: ReadonlySet<string>): Promise<Map<string, FileThere[]>> {
  const page = async (index: number) => {
    const { files, hits } = await find(folder, { order: 'filename', media_offset: String(index * PAGE) })
    return { items: files, pages: Math.ceil(hits / PAGE) }
  }
  const composed = [...new Set([...names].map((name) => name.normalize('NFC')))]
  const found = new Map<string, FileThere[]>()
  for (const file of await itemsNamed(composed, ({ name }: FileThere) => name, page))
    found.set(file.name, [...(found.get(file.name) ?? []), file])
  for (const files of found.values()) files.sort((one, other) => other.id - one.id)
  return found
}

async function find(folder: number, parameters: Record<string, string>): Promise<{ files: FileThere[]; hits: number }> {
  const query = {
    ...parameters,
    folder_ids: String(folder),
    return_values: 'unique_media_id+filename+file_disksize+created+file_md5+file_number',
    media_count: String(PAGE),
  }
  const { media, hits } = (await dataOf(api.GET('/search', { params: { query: query as never } }))).response
  const files = media.map(({ unique_media_id: id = 0, filename: name = '', file_disksize: bytes = 0, created = '', ...file }) => {
    return { id, name, bytes, created, md5: file.file_md5 ?? '', number: file.file_number ?? 1 }
  })
  return { files, hits }
}
