import type { Operations } from '../../backends/table/port.ts'
import type { UserId } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import { findUser, foldUsername, type UserRecord, userChange, usernameKey } from './users.ts'

/**
 * Gives a user another username, another full name, or both. The claim of the username moves in the same transaction, so that a user never
 * has none or two. Tokens stay valid.
 * @throws NotFound, Conflict when the username is taken
 */
export async function renameUser(library: Writing, userId: UserId, names: { username?: string; fullname?: string }): Promise<UserRecord> {
  const { table } = library
  return retryOnConflict(async () => {
    const user = await findUser(library, userId)
    if (!user) throw new NotFound('user')
    const username = (names.username ?? user.username).trim().normalize('NFC')
    const fullname = (names.fullname ?? user.fullname).trim().normalize('NFC')
    const isRenamed = foldUsername(username) !== foldUsername(user.username)
    if (isRenamed && (await table.get(usernameKey(username)))) throw new Conflict(`The username ${username} is taken.`, 'username_taken')
    await table.transact({ user: userChange(library, user, { username, fullname }), ...(isRenamed && movedClaim(user, username)) })
    return { ...user, username, fullname }
  })
}

/** The claim fails if another user takes the name at the same time. The retry then reports it as taken. */
function movedClaim({ userId, username }: UserRecord, to: string): Operations {
  return {
    claimed: { put: { ...usernameKey(to), userId }, if: { pk: { exists: false } } },
    released: { delete: usernameKey(username) },
  }
}
