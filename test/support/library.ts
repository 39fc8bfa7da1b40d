import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type EmbeddedObjects, openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import type { Table } from '../../shared/backends/table/port.ts'
import { Access } from '../../shared/library/access/access.ts'
import { actorOf, type Caller, type UserCaller } from '../../shared/library/access/caller.ts'
import { addUser, openCompany } from '../../shared/library/accounts/provision.ts'
import type { UserRecord } from '../../shared/library/accounts/users.ts'
import type { Actor } from '../../shared/library/actor.ts'
import type { Writing } from '../../shared/library/library.ts'
import { toKeyId } from '../../shared/vocabulary/ids.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { TestClock } from './test-clock.ts'

/** The actor of changes that no caller of a test makes. */
export const by: Actor = { kind: 'operator', command: 'test' }

/** A library on a real table, for one test. It is removed after the test. */
export function openTestTable(clock: TestClock = new TestClock()): { table: EmbeddedTable; clock: TestClock; by: Actor } {
  const table = openEmbeddedTable(join(temporaryDirectory(), 'table.sqlite'))
  onTestFinished(() => table.close())
  return { table, clock, by }
}

/** A bucket for one test. It is removed after the test. */
export function openTestObjects(clock?: TestClock): EmbeddedObjects {
  const objects = openEmbeddedObjects(join(temporaryDirectory(), 'objects'), clock)
  onTestFinished(() => objects.close())
  return objects
}

/** What a use case works with in a request of a caller. */
export function requestOf<Library extends { table: Table }, C extends Caller>(library: Library, caller: C) {
  return { ...library, access: new Access(library.table, caller), by: actorOf(caller, { requestId: 'test' }) }
}

/** A company with one admin and one user without any right. Nobody has a password: to hash one takes longer than most tests. */
export async function openTestCompany(library: Writing) {
  const { companyId } = await openCompany(library, 'Company')
  const add = (username: string, admin: boolean, password?: string) =>
    addUser(library, { companyId, username: `${username}-${companyId}`, fullname: username, admin, ...(password && { password }) })
  return { companyId, admin: callerOf(await add('admin', true)), user: callerOf(await add('user', false)), add }
}

export function callerOf(user: UserRecord): UserCaller {
  return { kind: 'user', user, keyId: toKeyId(1) }
}
