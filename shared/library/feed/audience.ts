import type { CompanyId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import type { Access, AuthorizedReading, PlacedMedia } from '../access/access.ts'
import type { TreeRights } from '../access/tree-rights.ts'
import type { ShownActor } from '../actor.ts'
import { placesOfMany } from '../media/find.ts'
import { holds } from '../tree/folder.ts'
import type { StoredEvent } from './event.ts'

/** The events of a feed that the caller may see now, with only the folders that the caller sees. */
export async function visibleEvents(
  library: AuthorizedReading,
  companyId: CompanyId,
  events: readonly StoredEvent[],
): Promise<StoredEvent[]> {
  const { access } = library
  if (access.isAdmin(companyId)) return [...events]
  const files = await placesOfMany(library, events.flatMap(fileOf))
  // After the files, so that the tree has their folders.
  const rights = await access.rightsOnAll(companyId)
  return events.filter((event) => isVisible(event, { access, rights, files })).map((event) => masked(event, rights))
}

interface Audience {
  access: Access
  rights: TreeRights
  /** Placements of existing files. */
  files: ReadonlyMap<MediaId, PlacedMedia>
}

/** The file whose rights decide, if any. */
const fileOf = ({ data }: StoredEvent): MediaId[] => (data.mediaId === undefined ? [] : [data.mediaId])

/** Whether a caller who isn't an admin may see an event. */
function isVisible({ type, data, requester }: StoredEvent, { access, rights, files }: Audience): boolean {
  const { mediaId, folderId, folderIds = [], parent } = data
  const mayRead = (id: FolderId | null | undefined) => id !== null && id !== undefined && mayReadFolder(rights, id)
  // A read-only pointer passes on READ, too.
  const mayReadFile = () => {
    const { folders = [] } = (mediaId === undefined ? undefined : files.get(mediaId)) ?? {}
    return rights.tree.foldersOfContents(folders).some((folder) => mayReadFolder(rights, folder.folderId))
  }
  switch (type) {
    case 'media.downloaded':
    case 'folder.shared':
    case 'company.quota':
    case 'user.created':
    case 'user.changed':
    case 'user.left':
      return false
    case 'zip.ready':
    case 'zip.failed':
    case 'bulk.finished':
    case 'share.created':
    case 'share.visited':
    case 'share.removed':
      return requester !== undefined && isCaller(access, requester)
    case 'media.deleted':
    case 'link.deleted':
      return folderIds.some(mayRead)
    case 'media.trashed':
      return folderIds.some(mayRead) || mayReadFile()
    case 'folder.deleted':
      return mayRead(parent)
    case 'folder.trashed':
      return mayRead(parent) || mayRead(folderId)
    case 'folder.created':
    case 'folder.renamed':
    case 'folder.moved':
    case 'folder.restored':
      return mayRead(folderId)
    default:
      return mayReadFile()
  }
}

const mayReadFolder = (rights: TreeRights, folderId: FolderId): boolean => holds(rights.of({ folderId }), 'READ')

function isCaller({ caller }: Access, { userId, keyId }: ShownActor): boolean {
  return caller.kind === 'user' ? caller.user.userId === userId : caller.key.keyId === keyId
}

/** Removes the request and its network, which only admins see, and folders that the caller can't see. */
function masked({ requestId: _, network: __, ...event }: StoredEvent, rights: TreeRights): StoredEvent {
  const { folderIds } = event.data
  return folderIds ? { ...event, data: { ...event.data, folderIds: folderIds.filter((id) => mayReadFolder(rights, id)) } } : event
}
