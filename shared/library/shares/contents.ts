import type { SearchEngine } from '../../backends/search/port.ts'
import { inParallel } from '../../parallel.ts'
import type { FolderId } from '../../vocabulary/ids.ts'
import { NotFound } from '../errors.ts'
import { orderedFolders } from '../folders/ordered-folders.ts'
import type { Reading } from '../library.ts'
import { getMany } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { searchMedia } from '../search/search-media.ts'
import type { FolderRecord } from '../tree/folder.ts'
import type { Visit } from './visit.ts'

/** A folder that a link shows. */
export interface SharedSubfolder {
  folder: FolderRecord
  /** Files below it, each once, and one of them with a picture. Known of the first page's folders, as many as are looked at. */
  count?: number
  cover?: AvailableMedia
}

/** Folders of which it is looked what is below them, and how many at a time. */
const [MOST_LOOKED_AT, LOOKS] = [200, 8]

/** One page of what a link shows. */
export interface SharedPage {
  /** Path from the shared folder to this one. Empty for a link to files. */
  path: FolderRecord[]
  /** Subfolders. */
  folders: SharedSubfolder[]
  files: AvailableMedia[]
  /** Files in all, and with those in subfolders, each once; the second is told with the first page alone. */
  total: number
  below?: number
  /** Offset of the next page; undefined at the end. */
  next?: number
}

/**
 * Contents of the shared folder or one below it, files by name; or the shared files, in their given order.
 * @param page.folderId defaults to the shared folder
 * @param page.recursive with the files of all folders below, each once
 * @throws NotFound, NotReady while the search index is being built
 */
export async function sharedPage(
  library: Reading & Visit & { search: SearchEngine },
  { folderId: asked, recursive, offset, limit }: { folderId?: FolderId | undefined; recursive: boolean; offset: number; limit: number },
): Promise<SharedPage> {
  const { share, access } = library
  const folderId = asked ?? share.folderId
  if (folderId === undefined) return sharedFiles(library, { offset, limit })
  if (!(await access.has('READ', folderId))) throw new NotFound('folder')
  const path = await access.path(folderId)
  const children = await orderedFolders({ access }, [share.companyId], {}, { parent: folderId })
  const criteria = { order: 'filename', direction: 'asc', offset, limit } as const
  const { total, found } = await searchMedia(library, { terms: [], folderIds: [folderId], recursive, criteria })
  const files = await readable(
    library,
    found.map(({ media }) => media),
  )
  const page = { path, files, total, ...(offset + limit < total && { next: offset + limit }) }
  const folders = children.map(({ record }): SharedSubfolder => ({ folder: record }))
  if (offset > 0) return { ...page, folders }
  const below = recursive || folders.length === 0 ? total : await countBelow(library, folderId)
  await inParallel(folders.slice(0, MOST_LOOKED_AT), LOOKS, async (each) => {
    Object.assign(each, await lookBelow(library, each.folder.folderId))
  })
  return { ...page, folders, below }
}

async function sharedFiles(library: Reading & Visit, { offset, limit }: { offset: number; limit: number }): Promise<SharedPage> {
  const { mediaIds = [] } = library.share
  const media = await getMany(library, mediaIds.slice(offset, offset + limit))
  const files = await readable(library, media.filter(isAvailable))
  const total = mediaIds.length
  return { path: [], folders: [], files, total, below: total, ...(offset + limit < total && { next: offset + limit }) }
}

/** What lies below a folder: its files, each once, and the newest with a picture. */
async function lookBelow(
  library: Reading & Visit & { search: SearchEngine },
  folderId: FolderId,
): Promise<Pick<SharedSubfolder, 'cover'> & { count: number }> {
  const count = await countBelow(library, folderId)
  if (count === 0) return { count }
  const pictures = await searchMedia(library, { ...allBelow(folderId), criteria: { ...NEWEST, kinds: ['image', 'video'], limit: 1 } })
  const [cover] = await readable(
    library,
    pictures.found.map(({ media }) => media),
  )
  return { count, ...(cover && { cover }) }
}

const NEWEST = { order: 'created', direction: 'desc', offset: 0 } as const
const allBelow = (folderId: FolderId) => ({ terms: [], folderIds: [folderId], recursive: true })

/** How many files lie below a folder, each once. */
async function countBelow(library: Reading & Visit & { search: SearchEngine }, folderId: FolderId): Promise<number> {
  return (await searchMedia(library, { ...allBelow(folderId), criteria: { ...NEWEST, limit: 0 } })).total
}

/** The search index doesn't know read-only pointers, which share links never show. */
async function readable({ access }: Visit, files: readonly AvailableMedia[]): Promise<AvailableMedia[]> {
  const mayRead = await Promise.all(files.map((media) => access.hasOnMedia('READ', media)))
  return files.filter((_, index) => mayRead[index])
}
