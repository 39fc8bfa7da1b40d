import type { SearchEngine } from '../../backends/search/port.ts'
import type { FolderId } from '../../vocabulary/ids.ts'
import { NotFound } from '../errors.ts'
import { orderedFolders } from '../folders/ordered-folders.ts'
import type { Reading } from '../library.ts'
import { getMany } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { searchMedia } from '../search/search-media.ts'
import type { FolderRecord } from '../tree/folder.ts'
import type { Visit } from './visit.ts'

/** One page of what a link shows. */
export interface SharedPage {
  /** Path from the shared folder to this one. Empty for a link to files. */
  path: FolderRecord[]
  /** Subfolders. */
  folders: FolderRecord[]
  files: AvailableMedia[]
  /** Offset of the next page; undefined at the end. */
  next?: number
}

/**
 * Contents of the shared folder or one below it, files by name; or the shared files, in their given order.
 * @param page.folderId defaults to the shared folder
 * @throws NotFound, NotReady while the search index is being built
 */
export async function sharedPage(
  library: Reading & Visit & { search: SearchEngine },
  { folderId: asked, offset, limit }: { folderId?: FolderId | undefined; offset: number; limit: number },
): Promise<SharedPage> {
  const { share, access } = library
  const folderId = asked ?? share.folderId
  if (folderId === undefined) return sharedFiles(library, { offset, limit })
  if (!(await access.has('READ', folderId))) throw new NotFound('folder')
  const path = await access.path(folderId)
  const children = await orderedFolders({ access }, [share.companyId], {}, { parent: folderId })
  const criteria = { order: 'filename', direction: 'asc', offset, limit } as const
  const { total, found } = await searchMedia(library, { terms: [], folderIds: [folderId], recursive: false, criteria })
  const files = await readable(
    library,
    found.map(({ media }) => media),
  )
  const folders = children.map(({ record }) => record)
  return { path, folders, files, ...(offset + limit < total && { next: offset + limit }) }
}

async function sharedFiles(library: Reading & Visit, { offset, limit }: { offset: number; limit: number }): Promise<SharedPage> {
  const { mediaIds = [] } = library.share
  const media = await getMany(library, mediaIds.slice(offset, offset + limit))
  const files = await readable(library, media.filter(isAvailable))
  return { path: [], folders: [], files, ...(offset + limit < mediaIds.length && { next: offset + limit }) }
}

/** The search index doesn't know read-only pointers, which share links never show. */
async function readable({ access }: Visit, files: readonly AvailableMedia[]): Promise<AvailableMedia[]> {
  const mayRead = await Promise.all(files.map((media) => access.hasOnMedia('READ', media)))
  return files.filter((_, index) => mayRead[index])
}
