import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { makeLibrary, type Outcome, runCommand, runJson } from './run-command.ts'

const CREATED = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

describe("the operator's command line", () => {
  let directory: string
  let company: number
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'media-library-'))
    await makeLibrary(directory)
    company = (await runJson(directory, ['company', 'create', '--name', 'Acme'])).company_id
  })
  after(() => rm(directory, { recursive: true, force: true }))

  const run = (...args: (string | number)[]): Promise<Outcome> => runCommand(directory, args.map(String))
  const json = (...args: (string | number)[]) => runJson(directory, args.map(String))
  const newUser = (username: string, ...more: string[]) =>
    json('user', 'create', '--company', company, '--username', username, '--fullname', 'Anna Berg', '--password', 'pw', ...more)

  async function assertFails(code: number, message: RegExp, args: (string | number)[]): Promise<void> {
    const outcome = await run(...args, '--json')
    assert.equal(outcome.code, code, outcome.error)
    assert.equal(outcome.out, '')
    assert.match(outcome.error, message)
    if (code === 2) assert.match(outcome.error, /Usage: admin/)
  }

  describe('company', () => {
    it('makes companies, with trimmed names, and lists them oldest first', async () => {
      const made = await json('company', 'create', '--name', '  Ärzte & Co ')
      assert.deepEqual(made, { company_id: made.company_id, name: 'Ärzte & Co' })
      const listed = await json('company', 'list')
      assert.deepEqual(
        listed.map(({ name }: { name: string }) => name),
        ['Acme', 'Ärzte & Co'],
      )
      assert.deepEqual(Object.keys(listed[0]), ['company_id', 'name', 'created'])
      assert.match(listed[0].created, CREATED)
    })

    it('refuses names that are empty, too long or have control characters', async () => {
      for (const name of ['', '  ', 'x'.repeat(256), 'a\u0000b', 'a\nb'])
        await assertFails(2, /--name/, ['company', 'create', '--name', name])
    })
  })

  describe('user', () => {
    it('makes users and admins', async () => {
      const anna = await newUser('anna')
      assert.deepEqual(anna, { user_id: anna.user_id, username: 'anna', company_id: company, admin: false })
      const boss = await newUser('boss', '--admin')
      assert.equal(boss.admin, true)
      const listed = await json('user', 'list', '--company', company)
      const [first] = listed
      assert.deepEqual(first, {
        user_id: anna.user_id,
        username: 'anna',
        fullname: 'Anna Berg',
        company_id: company,
        admin: false,
        disabled: false,
        created: first.created,
      })
      assert.match(first.created, CREATED)
    })

    it('refuses a taken name, whatever its case', async () => {
      await newUser('taken')
      const args = ['user', 'create', '--company', company, '--username', 'TAKEN', '--fullname', 'x', '--password', 'pw']
      await assertFails(1, /The username TAKEN is taken/, args)
    })

    it('refuses unknown companies and users in a sentence that helps', async () => {
      const args = ['user', 'create', '--company', 1, '--username', 'x', '--fullname', 'x', '--password', 'pw']
      await assertFails(1, /There is no company 1\. List the companies with/, args)
      await assertFails(1, /There is no company 1\./, ['user', 'list', '--company', 1])
      for (const verb of ['disable', 'enable']) await assertFails(1, /There is no user nobody\./, ['user', verb, '--username', 'nobody'])
      await assertFails(1, /There is no user nobody\./, ['user', 'set-password', '--username', 'nobody', '--password', 'x'])
      await assertFails(1, /There is no user nobody\./, ['user', 'join', '--username', 'nobody', '--company', company])
    })

    it('refuses passwords that are empty or too long', async () => {
      await newUser('pat')
      const set = (password: string) => ['user', 'set-password', '--username', 'pat', '--password', password]
      await assertFails(2, /password must not be empty/, set(''))
      await assertFails(2, /at most 1024 bytes/, set('ä'.repeat(513)))
      await assertFails(2, /password must not be empty/, set('-'))
    })

    it('takes a password from the first line of standard input', async () => {
      const { user_id } = await newUser('stdin')
      const args = ['user', 'set-password', '--username', 'stdin', '--password', '-']
      assert.deepEqual(await runJson(directory, args, 'päss word\r\nrest'), { user_id })
    })

    it('disables and enables', async () => {
      const { user_id } = await newUser('dora')
      assert.deepEqual(await json('user', 'disable', '--username', 'dora'), { user_id, disabled: true })
      const listed = await json('user', 'list', '--company', company)
      assert.equal(listed.find((user: { username: string }) => user.username === 'dora').disabled, true)
      assert.deepEqual(await json('user', 'enable', '--username', 'dora'), { user_id, disabled: false })
    })

    it('lets users join further companies, once', async () => {
      const { user_id } = await newUser('jo')
      const other = (await json('company', 'create', '--name', 'Other')).company_id
      const joined = { user_id, companies: [company, other] }
      assert.deepEqual(await json('user', 'join', '--username', 'jo', '--company', other), joined)
      assert.deepEqual(await json('user', 'join', '--username', 'jo', '--company', other), joined)
      assert.equal((await json('user', 'list', '--company', other)).length, 1)
      await assertFails(1, /There is no company 1\./, ['user', 'join', '--username', 'jo', '--company', 1])
    })
  })

  describe('admin', () => {
    it('makes members admins and ordinary again', async () => {
      const { user_id } = await newUser('ada')
      const args = ['--username', 'ada', '--company', company]
      assert.deepEqual(await json('admin', 'grant', ...args), { user_id, company_id: company, admin: true })
      assert.deepEqual(await json('user', 'join', ...args), { user_id, companies: [company] })
      const listed = await json('user', 'list', '--company', company)
      assert.equal(listed.find((user: { username: string }) => user.username === 'ada').admin, true)
      assert.deepEqual(await json('admin', 'revoke', ...args), { user_id, company_id: company, admin: false })
    })

    it('refuses who does not belong to the company', async () => {
      await newUser('stranger')
      const other = (await json('company', 'create', '--name', 'Elsewhere')).company_id
      await assertFails(1, /does not belong to company \d+\. Add them first with: user join/, [
        'admin',
        'grant',
        '--username',
        'stranger',
        '--company',
        other,
      ])
    })
  })

  describe('key', () => {
    it('makes keys with and without grants, lists them without secrets, and revokes them', async () => {
      const plain = await json('key', 'create', '--company', company)
      assert.deepEqual(Object.keys(plain), ['id', 'key', 'secret', 'company_id', 'grants'])
      assert.deepEqual(plain.grants, [])
      const granted = await json('key', 'create', '--company', company, '--grants', 'password_reset,downloads')
      assert.deepEqual(granted.grants, ['downloads', 'password_reset'])
      const listed = await json('key', 'list', '--company', company)
      assert.equal(listed.length, 2)
      assert.deepEqual(Object.keys(listed[0]), ['id', 'key', 'company_id', 'grants', 'created'])
      assert.deepEqual(await json('key', 'revoke', '--key', plain.key), { key: plain.key, revoked: true })
      assert.equal((await json('key', 'list', '--company', company)).length, 1)
      await assertFails(1, /There is no key/, ['key', 'revoke', '--key', plain.key])
    })

    it('refuses unknown grants and companies', async () => {
      await assertFails(2, /one or more of downloads, password_reset/, ['key', 'create', '--company', company, '--grants', 'all'])
      await assertFails(1, /There is no company 1\./, ['key', 'create', '--company', 1])
    })
  })

  describe('what later versions bring', () => {
    const commands = [
      ['cdn', 'alias', 'add', '--company', '1', '--alias', 'press'],
      ['cdn', 'alias', 'remove', '--company', '1', '--alias', 'press'],
      ['cdn', 'alias', 'list', '--company', '1'],
      ['streaming', 'enable', '--company', '1'],
      ['streaming', 'disable', '--company', '1'],
      ['stock', 'enable', '--company', '1'],
      ['stock', 'disable', '--company', '1'],
      ['stock', 'import', 'index.json'],
      ['downloads', 'list', '--company', '1', '--since', '2026-01-01', '--limit', '5'],
    ]
    for (const command of commands) {
      it(`${command.slice(0, 3).join(' ')} says that it is not available yet`, () => assertFails(1, /not available yet\.$/, command))
    }
  })

  describe('usage', () => {
    it('shows the usage and exits with 2 when it is wrong', async () => {
      const wrong: [string[], RegExp][] = [
        [[], /Usage: admin/],
        [['company'], /Usage: admin company/],
        [['nonsense'], /unknown command 'nonsense'/],
        [['company', 'rename'], /unknown command 'rename'/],
        [['company', 'create'], /required option '--name <name>'/],
        [['company', 'list', '--bogus'], /unknown option '--bogus'/],
        [['company', 'list', 'extra'], /too many arguments/],
        [['user', 'list', '--company', '12x'], /must be an id/],
        [['user', 'list', '--company', '-1'], /must be an id/],
        [['user', 'list', '--company', '99999999999'], /must be an id/],
        [['folder', 'grant', '--folder', '1', '--username', 'a', '--flags', 'EVERYTHING'], /one or more of READ, WRITE, ADMIN, UPLOAD/],
        [['downloads', 'list', '--company', '1', '--since', '2026-02-30'], /must be a date/],
      ]
      for (const [args, message] of wrong) await assertFails(2, message, args)
    })

    it('explains itself everywhere, with examples', async () => {
      const help = await run('--help')
      assert.equal(help.code, 0)
      assert.equal(help.error, '')
      assert.match(help.out, /Examples:/)
      for (const words of [['user', 'create'], ['folder', 'grant'], ['cdn', 'alias', 'add'], ['check']]) {
        const { code, out } = await run(...words, '--help')
        assert.equal(code, 0)
        assert.match(
          out,
          new RegExp(`Usage: admin ${words.join(' ')}[\\s\\S]*Examples:\\n {2}npm run --silent admin -- ${words.join(' ')}`),
        )
      }
    })

    it('speaks to people without --json', async () => {
      const made = await run('company', 'create', '--name', 'Plain')
      assert.match(made.out, /^Made company \d+, Plain\.$/)
      const [titles, ...rows] = (await run('company', 'list')).out.split('\n')
      assert.match(titles ?? '', /^ID +NAME +CREATED \(UTC\)$/)
      assert.ok(rows.some((row) => /^\d+ +Plain +\d{4}-/.test(row)))
    })

    it('takes --json before and after the command', async () => {
      assert.deepEqual(JSON.parse((await run('--json', 'company', 'list')).out), await json('company', 'list'))
    })
  })
})
