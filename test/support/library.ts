import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type EmbeddedTable, openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import type { Table } from '../../shared/backends/table/port.ts'
import type { UserCaller } from '../../shared/library/access/caller.ts'
import { addUser, openCompany } from '../../shared/library/accounts/provision.ts'
import type { UserRecord } from '../../shared/library/accounts/users.ts'

/** A clock that stands still until it is moved. */
export class TestClock {
  ms = Date.UTC(2026, 0, 15, 12)
  now(): number {
    return this.ms
  }
  advance(seconds: number): void {
    this.ms += seconds * 1000
  }
}

/** A real table of its own for one test, gone after it. */
export function openTestTable(clock: TestClock = new TestClock()): { table: EmbeddedTable; clock: TestClock } {
  const directory = mkdtempSync(join(tmpdir(), 'library-test-'))
  const table = openEmbeddedTable(join(directory, 'table.sqlite'))
  onTestFinished(() => {
    table.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { table, clock }
}

/** A company with one admin and one user without any right. */
export async function openTestCompany(table: Table, clock: TestClock) {
  const company = await openCompany(table, clock, 'Company')
  const add = async (username: string, admin: boolean) => {
    const password = 'a long password'
    return addUser(table, clock, {
      companyId: company.companyId,
      username: `${username}-${company.companyId}`,
      fullname: username,
      password,
      admin,
    })
  }
  return { companyId: company.companyId, admin: callerOf(await add('admin', true)), user: callerOf(await add('user', false)), add }
}

export function callerOf(user: UserRecord): UserCaller {
  return { kind: 'user', user, keyId: 1 }
}
