import type { UserId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { findUser, mailAddressOf, type UserRecord } from './users.ts'

/** Why a user who exists gets no mail, for the operator. */
export interface Unmailed {
  reason: string
  userId?: UserId
}

/** A user who has an e-mail address. */
export interface Recipient {
  to: string
  fullname: string
}

/** The recipient of mail to a user. @returns the reason for a user without an address */
export function recipientIn(user: Pick<UserRecord, 'userId' | 'fullname' | 'username' | 'email'>): Recipient | Unmailed {
  const to = mailAddressOf(user)
  return to === undefined ? { reason: 'the user has no e-mail address', userId: user.userId } : { to, fullname: user.fullname }
}

/** The recipient of a notice about work that a user requested. Undefined if the user was deleted or disabled meanwhile. */
export async function recipientOf(library: Reading, userId: UserId): Promise<Recipient | Unmailed | undefined> {
  const user = await findUser(library, userId)
  return user && !user.disabled ? recipientIn(user) : undefined
}
