import { isMailAddress } from '../vocabulary/mail-address.ts'
import type { UserRecord } from './users.ts'

/** Where a user gets e-mail: the address that the operator gave, else the username where it is one. */
export function mailAddressOf({ email, username }: Pick<UserRecord, 'email' | 'username'>): string | undefined {
  return email ?? (isMailAddress(username) ? username : undefined)
}
