import type { Operation, Table } from '../../backends/table/port.ts'
import { Conflict, NotFound } from '../errors.ts'
import { retryOnConflict } from '../retry.ts'
import { findUser, foldUsername, type UserRecord, userChange, usernameKey } from './users.ts'

/**
 * Gives a user another username, another full name, or both. The claim of the username moves in the same transaction, so that nobody is ever
 * without a name or has two. Tokens stay valid.
 * @throws NotFound, Conflict when the username is taken
 */
export async function renameUser(table: Table, userId: number, names: { username?: string; fullname?: string }): Promise<UserRecord> {
  return retryOnConflict(async () => {
    const user = await findUser(table, userId)
    if (!user) throw new NotFound('user')
    const username = (names.username ?? user.username).trim().normalize('NFC')
    const fullname = (names.fullname ?? user.fullname).trim().normalize('NFC')
    const claims: Operation[] = []
    if (foldUsername(username) !== foldUsername(user.username)) {
      // Who loses the race for the name finds it taken here at the next attempt.
      if (await table.get(usernameKey(username))) throw new Conflict(`The username ${username} is taken.`, 'username_taken')
      claims.push({ put: { ...usernameKey(username), userId }, if: { pk: { exists: false } } }, { delete: usernameKey(user.username) })
    }
    await table.transact([userChange(user, { username, fullname }), ...claims])
    return { ...user, username, fullname }
  })
}
