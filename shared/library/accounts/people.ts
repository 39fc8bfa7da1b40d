import type { CompanyId } from '../../vocabulary/ids.ts'
import { byName } from '../by-name.ts'
import type { Reading } from '../library.ts'
import { lastSeen, lastSeenIn } from './last-seen.ts'
import { listUsers, type UserRecord } from './users.ts'

/** A user as the admins of a company see them. */
export interface Person {
  user: UserRecord
  /** The company in which the user's role is shown. */
  companyId: CompanyId
  /** UNIX milliseconds. Undefined if never. */
  seen: number | undefined
}

/** All users of a company, disabled ones too, sorted by name. Checks no rights. */
export async function listPeople(library: Reading, companyId: CompanyId): Promise<Person[]> {
  const [users, seen] = await Promise.all([listUsers(library, companyId), lastSeenIn(library, companyId)])
  const people = users.map((user) => ({ user, companyId, seen: seen.get(user.userId) }))
  return people.sort(
    byName(
      ({ user }) => user.fullname,
      ({ user }) => user.userId,
    ),
  )
}

/** A user in one of their companies. */
export async function personOf(library: Reading, user: UserRecord, companyId: CompanyId): Promise<Person> {
  return { user, companyId, seen: await lastSeen(library, companyId, user.userId) }
}
