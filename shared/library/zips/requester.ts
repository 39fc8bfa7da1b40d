import { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { findKey } from '../accounts/api-keys.ts'
import { findUser } from '../accounts/users.ts'
import type { Reading } from '../library.ts'
import type { Requester } from './zip.ts'

export function requesterOf(caller: Caller): Requester {
  if (caller.kind === 'user') return { kind: 'user', userId: caller.user.userId }
  const { keyId, key } = caller.key
  return { kind: 'application', keyId, key }
}

/** What the requester may do now. Undefined for a user who is disabled, and for a key that was revoked or may not download. */
export async function accessOfRequester({ table }: Reading, requester: Requester): Promise<Access | undefined> {
  if (requester.kind === 'user') {
    const user = await findUser({ table }, requester.userId)
    return user && !user.disabled ? new Access(table, { kind: 'user', user }) : undefined
  }
  const key = await findKey({ table }, requester.key)
  return key?.grants.includes('downloads') ? new Access(table, { kind: 'application', key }) : undefined
}
