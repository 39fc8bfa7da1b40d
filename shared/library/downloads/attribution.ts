import type { UserId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { findUser, isMemberOf } from '../accounts/users.ts'
import { Invalid } from '../errors.ts'
import type { LoggedDownload } from './log.ts'

/** What a client says of a download. */
export interface Told {
  /** User whom an application names. Nothing where a user calls: the download is theirs. */
  user?: UserId | undefined
  /** JSON that describes the download. */
  info?: string | undefined
}

/** To whom a download is attributed, as the log keeps it. @throws Invalid for a named user who isn't of the company of the key */
export async function attribution(
  { table, access: { caller } }: AuthorizedReading,
  { user, info }: Told,
): Promise<Pick<LoggedDownload, 'userId' | 'keyId' | 'info'>> {
  const userId = caller.kind === 'user' ? caller.user.userId : (user ?? null)
  if (caller.kind === 'application' && userId !== null) {
    const named = await findUser({ table }, userId)
    if (!named || !isMemberOf(named, caller.key.companyId)) {
      throw new Invalid({ path: 'user', message: 'must be a user of the company of the key' })
    }
  }
  return { userId, keyId: keyIdOf(caller), info: info ?? null }
}

const keyIdOf = (caller: Caller) => (caller.kind === 'application' ? caller.key.keyId : caller.keyId) ?? null
