import { inParallel } from '../../parallel.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import { listActiveUsers, type UserRecord } from '../accounts/users.ts'
import { NotFound } from '../errors.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { NO_RIGHTS, type RightSet } from '../tree/folder.ts'
import type { Access, AuthorizedReading, PlacedMedia } from './access.ts'
import type { UserCaller } from './caller.ts'
import type { RightsSource } from './rights-sources.ts'

/** A user who has rights on something. */
export interface Permitted {
  user: UserRecord
  /** Their effective rights. */
  rights: RightSet
  /** Sources of the rights, nearest first. */
  sources: RightsSource[]
}

/** Users whose rights are computed in parallel. Each takes one read of their cliques. */
const USERS_AT_ONCE = 20

/**
 * The users who have a right on a folder, sorted by name, without disabled ones. Their rights are those of their own requests. Requires
 * ADMIN on the folder.
 * @throws NotFound, Forbidden
 */
export async function permittedOnFolder(
  library: AuthorizedReading,
  folderId: FolderId,
): Promise<{ folder: FolderRecord; permitted: Permitted[] }> {
  const folder = await library.access.folderWith('ADMIN', folderId)
  const permitted = await everyPermitted(library, folder.companyId, async (access) => ({
    rights: await access.folder(folderId).then(({ rights }) => rights, withoutRights),
    sources: () => access.folderSources(folder),
  }))
  return { folder, permitted }
}

/** The users who have a right on a file, as `permittedOnFolder()`. Checks no rights of the caller. */
export async function permittedOnMedia(library: AuthorizedReading, media: PlacedMedia): Promise<Permitted[]> {
  return everyPermitted(library, media.companyId, async (access) => ({
    rights: await access.mediaRights(media),
    sources: () => access.mediaSources(media),
  }))
}

async function everyPermitted(
  library: AuthorizedReading,
  companyId: CompanyId,
  ask: (access: Access<UserCaller>) => Promise<{ rights: RightSet; sources: () => Promise<RightsSource[]> }>,
): Promise<Permitted[]> {
  const users = await listActiveUsers(library, companyId)
  const permitted = new Map<UserRecord, Permitted>()
  await inParallel(users, USERS_AT_ONCE, async (user) => {
    const { rights, sources } = await ask(library.access.ofUser(user))
    if (rights !== NO_RIGHTS) permitted.set(user, { user, rights, sources: await sources() })
  })
  return users.flatMap((user) => permitted.get(user) ?? [])
}

function withoutRights(error: unknown): RightSet {
  if (error instanceof NotFound) return NO_RIGHTS
  throw error
}
