import type { ContentsId, FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import type { MediaRecord } from '../media/media.ts'
import { sameCompany, withCopy, withMove } from '../media/place.ts'
import { type Placement, placementOf } from '../media/placement.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import { ensureTrashcan } from '../tree/system-folders.ts'
import type { FolderChange, PlacedBefore } from './bulk.ts'

/** A file's new placement, and what its undo needs. */
export interface Placed {
  after: Placement
  /** As for `placementChange`. */
  moved: ReadonlyMap<ContentsId, FolderId>
  before: PlacedBefore
}

/** The folders of a change. */
export interface ChangedFolders {
  source?: FolderRecord
  target: FolderRecord
}

/**
 * The change's folders. Files to be trashed go to the user's trashcan. @throws NotFound, Forbidden unless the user may WRITE the folders
 */
export async function foldersOf(library: AuthorizedWriting, change: FolderChange): Promise<ChangedFolders> {
  const { access } = library
  if (change.kind === 'add') return { target: await access.folderWith('WRITE', change.to) }
  const source = await access.folderWith('WRITE', change.from)
  if (change.kind === 'move') return { source, target: await access.folderWith('WRITE', change.to) }
  const { caller } = access
  if (caller.kind !== 'user') throw new Error('an application has no trashcan')
  return { source, target: await ensureTrashcan(library, source.companyId, caller.user.userId) }
}

/** A file's placement after the change. @throws NotFound, Forbidden, Invalid */
export async function placedBy({ access }: AuthorizedWriting, media: MediaRecord, { source, target }: ChangedFolders): Promise<Placed> {
  sameCompany(media, target)
  const placement = placementOf(media)
  const [into, was] = [contentsOf(target), placement.get(contentsOf(target))]
  const after = source ? await withMove(access, media, placement, source, target) : await withCopy(access, media, placement, target)
  return {
    after,
    moved: source ? new Map([[into, source.folderId]]) : new Map(),
    before: {
      ...(source && { from: source.folderId }),
      ...{ to: target.folderId, contents: into, kind: after.get(into)!, ...(was && { was }) },
    },
  }
}
