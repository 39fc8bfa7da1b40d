import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'vitest'
import { type Email, MailUnavailable } from '../../../shared/backends/mail/port.ts'
import { disableUser } from '../../../shared/library/accounts/admins.ts'
import { setPasswordSignIn } from '../../../shared/library/accounts/companies.ts'
import { mailPasswordReset, requestPasswordReset } from '../../../shared/library/accounts/password-reset-requests.ts'
import { finishPasswordReset } from '../../../shared/library/accounts/password-resets.ts'
import { forbidPasswordSignIn } from '../../../shared/library/accounts/password-sign-in.ts'
import { addUser, openCompany } from '../../../shared/library/accounts/provision.ts'
import { setMembership, type UserRecord } from '../../../shared/library/accounts/users.ts'
import type { JobRecord } from '../../../shared/library/jobs/job.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { countingTable, newCount } from '../../support/counting-table.ts'
import { openTestTable } from '../../support/library.ts'

describe('password resets', () => {
  let library: ReturnType<typeof openTestTable>
  const sent: Email[] = []
  let mailFails = false
  const mail = {
    async send(email: Email) {
      if (mailFails) throw new MailUnavailable('no connection')
      sent.push(email)
    },
  }
  let people = 0
  let companyId: CompanyId
  beforeEach(async () => {
    library = openTestTable()
    companyId = (await openCompany(library, 'Example')).companyId
    sent.length = 0
    mailFails = false
  })
  const person = (email?: string): Promise<UserRecord> => {
    const username = `person ${people++}`
    return addUser(library, { companyId, username, fullname: username, password: 'a password', admin: false, ...(email && { email }) })
  }
  /** Asks for a new password, as an application does. @returns ids of the requests that jobs are to mail */
  async function ask(username: string, of = companyId): Promise<string[]> {
    const before = await position()
    await requestPasswordReset(library, { companyId: of, username, baseUrl: 'https://media.example.com', requestId: 'r-1' })
    const { changes } = await library.table.readChanges(before, 100)
    const asked = changes.flatMap(({ key, after }) => (key.sk === 'JOB' && after ? [after as JobRecord] : []))
    return asked.map(({ input }) => (input as { passwordReset: string }).passwordReset)
  }
  async function position(): Promise<string | undefined> {
    for (let at: string | undefined; ; ) {
      const read = await library.table.readChanges(at, 1000)
      if (read.changes.length === 0) return at
      at = read.position
    }
  }
  const job = (id: string) => mailPasswordReset({ ...library, mail, settings: { brand: 'SVC' } }, id)
  const askAndMail = async (username: string) => {
    for (const id of await ask(username)) await job(id)
  }
  const codes = () => sent.map(({ text }) => /^[\w-]{43}$/m.exec(text)![0])
  const confirm = (code: string) =>
    finishPasswordReset({ ...library, requestId: 'r-2' }, { code, password: 'another password' }, '192.0.2.1')
  const wrong = { code: 'wrong_code' }

  test('members of a company that signs in at providers alone get no mail, and codes of theirs are over; admins do', async () => {
    const [member, admin] = [await person('member@example.com'), await person('admin@example.com')]
    await setMembership(library, admin.userId, { companyId, admin: true })
    await askAndMail(member.username)
    const [code] = codes()
    await forbidPasswordSignIn(library, companyId)
    await assert.rejects(confirm(code!), wrong)
    library.clock.advance(120)
    await askAndMail(member.username)
    await askAndMail(admin.username)
    assert.deepEqual(
      sent.map(({ to }) => to),
      ['member@example.com', 'admin@example.com'],
    )
    await setPasswordSignIn(library, companyId, true)
    library.clock.advance(120)
    await askAndMail(member.username)
    assert.equal(sent.length, 3)
  })

  test('a job that is delivered again mails nothing again; one that failed does', async () => {
    const { username } = await person('carl@example.com')
    const [id] = await ask(username)
    mailFails = true
    await assert.rejects(job(id!), MailUnavailable)
    mailFails = false
    await job(id!)
    await job(id!)
    assert.equal(sent.length, 1)
    library.clock.advance(120)
    const [later] = await ask(username)
    await job(later!)
    await job(id!)
    assert.equal(sent.length, 2, 'an old delivery that comes after a further request')
    for (const code of codes().slice(-1)) await confirm(code)
  })

  test('the last five codes are good, and all end with the first that is used', async () => {
    const { username } = await person('dora@example.com')
    for (let n = 0; n < 6; n++) {
      await askAndMail(username)
      library.clock.advance(61)
    }
    const all = codes()
    assert.equal(all.length, 6)
    await assert.rejects(confirm(all[0]!), wrong)
    await confirm(all[1]!)
    for (const code of all.slice(2)) await assert.rejects(confirm(code), wrong)
  })

  test('a code is good for an hour, and a request that waited longer is not mailed', async () => {
    const { username } = await person('emil@example.com')
    await askAndMail(username)
    library.clock.advance(3_599)
    await confirm(codes()[0]!)
    await askAndMail(username)
    library.clock.advance(60)
    const [waiting] = await ask(username)
    library.clock.advance(3_601)
    await assert.rejects(confirm(codes()[1]!), wrong)
    assert.match((await job(waiting!))?.reason ?? '', /too long ago/)
    assert.equal(sent.length, 2)
  })

  test('nobody else is mailed: unknown, disabled, of another company, without an address', async () => {
    const [disabled, other, nowhere] = [await person('fritz@example.com'), await person('gina@example.com'), await person()]
    await disableUser(library, disabled.userId)
    const anotherCompany = (await openCompany(library, 'Another')).companyId
    const ids = [
      ...(await ask('nobody at all')),
      ...(await ask(disabled.username)),
      ...(await ask(other.username, anotherCompany)),
      ...(await ask(nowhere.username)),
    ]
    const told = await Promise.all(ids.map(job))
    assert.deepEqual(sent, [])
    const reason = 'the user has no e-mail address'
    assert.deepEqual(told, [undefined, undefined, undefined, { reason, userId: nowhere.userId }])
  })

  test('a request does the same work whether there is such a user or not', async () => {
    const { username } = await person('hans@example.com')
    const works = await Promise.all(
      [username, 'nobody of this name'].map(async (name) => {
        const count = newCount()
        const input = { companyId, username: name, baseUrl: 'https://media.example.com', requestId: 'r' }
        await requestPasswordReset({ ...library, table: countingTable(library.table, count) }, input)
        return count
      }),
    )
    assert.deepEqual(works[0], works[1])
  })
})
