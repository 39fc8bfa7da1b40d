import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { CATALOGUE } from '../../../shared/vocabulary/ids.ts'
import { noDomains } from '../../support/mail-addresses.ts'
import { type Outcome, runCommand, runJson, temporaryLibrary } from './run-command.ts'

const CREATED = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

describe("the operator's command line", async () => {
  const directory = await temporaryLibrary()
  const { company_id: company } = await runJson(directory, ['company', 'create', '--name', 'Acme'])

  const run = (...args: (string | number)[]): Promise<Outcome> => runCommand(directory, args.map(String))
  const json = (...args: (string | number)[]) => runJson(directory, args.map(String))
  const newUser = (username: string, ...more: string[]) =>
    json('user', 'create', '--company', company, '--username', username, '--fullname', 'Anna Berg', '--password', 'a password', ...more)

  async function assertFails(code: number, message: RegExp, args: (string | number)[]): Promise<void> {
    const outcome = await run(...args, '--json')
    assert.equal(outcome.code, code, outcome.error)
    assert.equal(outcome.out, '')
    assert.match(outcome.error, message)
    if (code === 2) assert.match(outcome.error, /Usage: admin/)
  }

  it('takes only domains for those of a provider of sign-on', async () => {
    const provider = ['--company', company, '--name', 'Acme', '--issuer', 'https://a.test', '--client-id', 'x', '--client-secret', 'x']
    for (const domain of ['test', ...noDomains.filter((each) => each.trim() !== 'a.test')]) {
      await assertFails(2, /It must be domains/, ['sso', 'add', ...provider, '--domains', `b.test,${domain}`])
    }
    assert.deepEqual(await json('sso', 'list', '--company', company), [])
  })

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

    it('renames', async () => {
      const { company_id } = await json('company', 'create', '--name', 'Before')
      const renamed = await json('company', 'rename', '--company', company_id, '--name', 'After')
      assert.equal(renamed.name, 'After')
      const listed: { company_id: number }[] = await json('company', 'list')
      assert.deepEqual(
        listed.find((one) => one.company_id === company_id),
        renamed,
      )
      await assertFails(1, /There is no company 1\./, ['company', 'rename', '--company', 1, '--name', 'x'])
    })

    it('sets a quota, and takes it away', async () => {
      const setQuota = (bytes: number | string) => ['company', 'set-quota', '--company', company, '--bytes', bytes]
      assert.deepEqual(await json(...setQuota(0)), { quota_bytes: 0 })
      assert.deepEqual(await json(...setQuota(2 ** 50)), { quota_bytes: 2 ** 50 })
      assert.deepEqual(await json(...setQuota('none')), { quota_bytes: null })
      for (const bytes of ['', '-1', '1.5', '1e3', 2 ** 51, 'None']) await assertFails(2, /--bytes/, setQuota(bytes))
      await assertFails(1, /There is no company 1\./, ['company', 'set-quota', '--company', 1, '--bytes', 1])
    })

    it('refuses names that are empty, too long or have control characters', async () => {
      for (const name of ['', '  ', 'x'.repeat(256), 'a\u0000b', 'a\nb'])
        await assertFails(2, /--name/, ['company', 'create', '--name', name])
    })
  })

  describe('the stock catalogue', () => {
    it.each([
      ['key', 'create'],
      ['key', 'list'],
      ['user', 'list'],
      ['user', 'join', '--username', 'anna'],
      ['user', 'create', '--username', 'anna', '--fullname', 'Anna', '--password', 'a password'],
      ['folder', 'list'],
      ['cdn', 'alias', 'add', '--alias', 'catalogue'],
      ['downloads', 'list'],
      ['events', 'export'],
      ['streaming', 'enable'],
      ['stock', 'enable'],
      ['keywords', 'enable'],
      ['keywords', 'suggest'],
    ])('is no company of %s %s', async (...command) => {
      await assertFails(2, /--company <id>.*must be an id/, [...command, '--company', CATALOGUE])
    })
  })

  it.each(['streaming', 'stock', 'keywords'])(
    '%s is enabled and disabled, any number of times, for a company that there is',
    async (right) => {
      for (const [action, allowed] of [
        ['enable', true],
        ['enable', true],
        ['disable', false],
        ['disable', false],
      ] as const) {
        assert.deepEqual(await json(right, action, '--company', company), { company_id: company, [right]: allowed })
      }
      assert.match((await run(right, 'enable', '--company', company)).out, new RegExp(`^Company ${company} `))
      await json(right, 'disable', '--company', company)
      await assertFails(1, /There is no company 99/, [right, 'enable', '--company', 99])
      await assertFails(2, /required option '--company <id>'/, [right, 'disable'])
    },
  )

  it('asks for keywords only where the company opted in', async () => {
    const refused = /Company \d+ has not opted in .* keywords enable --company/
    await assertFails(1, refused, ['keywords', 'suggest', '--company', company])
    await assertFails(1, /There is no company 99/, ['keywords', 'suggest', '--company', 99])
    await json('keywords', 'enable', '--company', company)
    assert.deepEqual(await json('keywords', 'suggest', '--company', company), { queued: 0, done: 0 })
    const { out } = await run('keywords', 'suggest', '--company', company)
    assert.equal(out, '0 pictures wait for keywords. 0 had been looked at before.')
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
        email: null,
        company_id: company,
        admin: false,
        disabled: false,
        created: first.created,
      })
      assert.match(first.created, CREATED)
    })

    it('says where the e-mail of a user goes: an address that is given, else the username where it is one', async () => {
      const emailOf = async (username: string) => (await json('user', 'show', '--username', username)).email
      assert.equal((await newUser('mailed', '--email', ' m@example.com ')).email, 'm@example.com')
      assert.equal(await emailOf('mailed'), 'm@example.com')
      assert.equal((await newUser('nora@example.com')).email, 'nora@example.com')
      assert.equal(await emailOf('nora@example.com'), 'nora@example.com')
      const { user_id } = await newUser('unmailed')
      assert.equal(await emailOf('unmailed'), null)
      const set = ['user', 'set-email', '--username', 'unmailed', '--email']
      assert.deepEqual(await json(...set, 'u@example.com'), { user_id, email: 'u@example.com' })
      assert.equal(await emailOf('unmailed'), 'u@example.com')
      const listed: { username: string; email: string }[] = await json('user', 'list', '--company', company)
      assert.equal(listed.find(({ username }) => username === 'unmailed')?.email, 'u@example.com')
      const wrong = noDomains.map((domain) => `x@${domain}`).filter((each) => each.trim() !== 'x@a.test')
      for (const address of ['not an address', ...wrong]) await assertFails(2, /one e-mail address/, [...set, address])
      const names = ['--username', 'wrong', '--fullname', 'x', '--password', 'a password']
      const create = ['user', 'create', '--company', company, ...names, '--email']
      for (const address of wrong) await assertFails(2, /one e-mail address/, [...create, address])
      assert.equal(await emailOf('unmailed'), 'u@example.com')
      assert.equal((await json(...set, 'U@Bücher.example')).email, 'U@xn--bcher-kva.example')
      assert.equal(await emailOf('unmailed'), 'U@xn--bcher-kva.example')
      await assertFails(1, /There is no user nobody\./, ['user', 'set-email', '--username', 'nobody', '--email', 'u@example.com'])
    })

    it('takes a username for no e-mail address that is none', async () => {
      for (const username of ['x@a.test/.evil.test', 'x@a.test?evil.test', 'x@a%2etest', 'x@127.1', 'x@[127.0.0.1]']) {
        await newUser(username)
        assert.equal((await json('user', 'show', '--username', username)).email, null, username)
      }
    })

    it('warns of a user to whom no e-mail can go, and says what to do', async () => {
      const create = (username: string, ...more: string[]) =>
        run('user', 'create', '--company', company, '--username', username, '--fullname', 'x', '--password', 'a password', ...more)
      const warned = await create('without mail')
      assert.equal(warned.code, 0)
      assert.match(warned.error, /can't reset a forgotten password.*user set-email --username without mail --email/)
      assert.equal((await create('with mail', '--email', 'w@example.com')).error, '')
      assert.equal((await create('with@example.com')).error, '')
      const renamed = await run('user', 'rename', '--username', 'with@example.com', '--new-username', 'with')
      assert.match(renamed.error, /No e-mail can go to with,/)
    })

    it('refuses unknown companies and users in a sentence that helps', async () => {
      const args = ['user', 'create', '--company', 1, '--username', 'x', '--fullname', 'x', '--password', 'a password']
      await assertFails(1, /There is no company 1\. List the companies with/, args)
      await assertFails(1, /There is no company 1\./, ['user', 'list', '--company', 1])
      for (const verb of ['disable', 'enable']) await assertFails(1, /There is no user nobody\./, ['user', verb, '--username', 'nobody'])
      await assertFails(1, /There is no user nobody\./, ['user', 'set-password', '--username', 'nobody', '--password', 'a password'])
      await assertFails(1, /There is no user nobody\./, ['user', 'join', '--username', 'nobody', '--company', company])
    })

    it('refuses passwords of fewer than 8 characters, and too long ones', async () => {
      await newUser('pat')
      const set = (password: string) => ['user', 'set-password', '--username', 'pat', '--password', password]
      for (const short of ['', '-', '1234567']) await assertFails(2, /the password must be at least 8 characters/, set(short))
      await assertFails(2, /at most 1024 bytes/, set('ä'.repeat(513)))
      const create = ['user', 'create', '--company', company, '--username', 'short', '--fullname', 'x', '--password', '1234567']
      await assertFails(2, /the password must be at least 8 characters/, create)
      await json(...set('12345678'))
    })

    it('takes a password from the first line of standard input', async () => {
      const { user_id } = await newUser('stdin')
      const args = ['user', 'set-password', '--username', 'stdin', '--password', '-']
      assert.deepEqual(await runJson(directory, args, 'päss word\r\nrest'), { user_id })
    })

    it('deletes whom the operator confirms by typing their name', async () => {
      const { username } = await newUser('eve')
      const remove = ['user', 'delete', '--username', 'EVE']
      for (const typed of ['', 'yes\n', 'ev\n']) {
        const { code, out, error } = await runCommand(directory, remove, typed)
        assert.deepEqual([code, out], [1, ''])
        assert.match(
          error,
          /loses all rights.* Type "eve" to delete it for good: \nNothing was deleted\. To delete without a question: --yes$/,
        )
      }
      assert.deepEqual(await runJson(directory, remove, `${username}\n`), {})
      await assertFails(1, /There is no user eve\./, ['user', 'show', '--username', 'eve'])
      await newUser('eve')
      assert.deepEqual(await json(...remove, '--yes'), {})
    })

    it('shows a user with all their companies', async () => {
      const { user_id } = await newUser('shown', '--admin')
      const other = (await json('company', 'create', '--name', 'Further')).company_id
      await json('user', 'join', '--username', 'shown', '--company', other)
      const shown = await json('user', 'show', '--username', 'Shown')
      assert.deepEqual(shown, {
        user_id,
        username: 'shown',
        fullname: 'Anna Berg',
        email: null,
        companies: [
          { company_id: company, name: 'Acme', admin: true },
          { company_id: other, name: 'Further', admin: false },
        ],
        disabled: false,
        created: shown.created,
      })
      assert.match(shown.created, CREATED)
      assert.match((await run('user', 'show', '--username', 'shown')).out, /^company {4}\d+, Acme \(admin\)$/m)
      await assertFails(1, /There is no user nobody\./, ['user', 'show', '--username', 'nobody'])
    })

    it('renames a user: username, full name, or both', async () => {
      const { user_id } = await newUser('old')
      const rename = (...args: string[]) => json('user', 'rename', '--username', ...args)
      assert.deepEqual(await rename('old', '--new-username', ' Neu '), { user_id, username: 'Neu', fullname: 'Anna Berg' })
      assert.deepEqual(await rename('neu', '--fullname', 'Anna Holm'), { user_id, username: 'Neu', fullname: 'Anna Holm' })
      assert.deepEqual(await rename('neu', '--new-username', 'NEU', '--fullname', 'A'), { user_id, username: 'NEU', fullname: 'A' })
      await assertFails(1, /There is no user old\./, ['user', 'show', '--username', 'old'])
      assert.notEqual((await newUser('old')).user_id, user_id)
      await assertFails(1, /The username old is taken\./, ['user', 'rename', '--username', 'neu', '--new-username', 'old'])
      await assertFails(2, /give --new-username, --fullname or both/, ['user', 'rename', '--username', 'neu'])
      assert.deepEqual(await json('check'), { clean: true, problems: [] })
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

    it('keeps the last admin of a company who can sign in: from revoking, disabling and deleting', async () => {
      const other = (await json('company', 'create', '--name', 'Of two')).company_id
      const add = (username: string) =>
        json(...['user', 'create', '--company', other, '--username', username], '--fullname', 'x', '--password', 'a password', '--admin')
      await add('one')
      const revoke = (username: string) => ['admin', 'revoke', '--username', username, '--company', other]
      const refusal = /one is the last admin of company \d+\. Make somebody else one first, with: admin grant --username NAME --company ID/
      await assertFails(1, refusal, revoke('one'))
      for (const command of [['disable'], ['delete', '--yes']]) await assertFails(1, refusal, ['user', ...command, '--username', 'one'])
      await add('two')
      await json('user', 'disable', '--username', 'two')
      await assertFails(1, refusal, revoke('one'))
      await json('user', 'enable', '--username', 'two')
      const outcomes = await Promise.all([run(...revoke('one')), run(...revoke('two'))])
      assert.deepEqual(outcomes.map(({ code }) => code).sort(), [0, 1])
    })
  })

  describe('folder', () => {
    it('lists all folders of a company, by their path', async () => {
      const { user_id } = await newUser('owner')
      const listed = await json('folder', 'list', '--company', company)
      const trashcan = listed.find(({ owner }: { owner: number | null }) => owner === user_id)
      assert.deepEqual(trashcan, {
        folder_id: trashcan.folder_id,
        name: 'Trashcan',
        parent: null,
        system: 'trash',
        owner: user_id,
        created: trashcan.created,
      })
      assert.match(trashcan.created, CREATED)
      const [titles, ...rows] = (await run('folder', 'list', '--company', company)).out.split('\n')
      assert.match(titles!, /^ID +PATH +KIND +CREATED \(UTC\)$/)
      assert.ok(rows.some((row) => /^\d+ +Public gallery +public +\d{4}-/.test(row)))
      assert.ok(rows.some((row) => row.includes(`trash of user ${user_id}`)))
      await assertFails(1, /There is no company 1\./, ['folder', 'list', '--company', 1])
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
  })

  describe('usage', () => {
    it('shows the usage and exits with 2 when it is wrong', async () => {
      const wrong: [string[], RegExp][] = [
        [[], /Usage: admin/],
        [['company'], /Usage: admin company/],
        [['nonsense'], /unknown command 'nonsense'/],
        [['company', 'paint'], /unknown command 'paint'/],
        [['company', 'create'], /required option '--name <name>'/],
        [
          ['user', 'create'],
          /required options '--company <id>', '--username <name>', '--fullname <name>', '--password <password>' not spec/,
        ],
        [['mail', 'failures', '--since', 'yesterday'], /--since <time>.*must be a day or a time/],
        [['mail', 'failures', '--since', '2026-02-30'], /must be a day or a time/],
        [['mail', 'failures', '--limit', '0'], /--limit <count>.*must be a whole number/],
        [['mail', 'failures', '--limit', '10001'], /must be a whole number/],
        [['key', 'create', '--company', '7', '--grants', 'all'], /one or more of downloads, password_reset/],
        [['company', 'list', '--bogus'], /unknown option '--bogus'/],
        [['company', 'list', 'extra'], /too many arguments/],
        [['user', 'list', '--company', '12x'], /must be an id/],
        [['user', 'list', '--company', '-1'], /must be an id/],
        [['user', 'list', '--company', '99999999999'], /must be an id/],
        [['folder', 'grant', '--folder', '1', '--username', 'a', '--flags', 'EVERYTHING'], /one or more of READ, WRITE, ADMIN, UPLOAD/],
      ]
      for (const [args, message] of wrong) await assertFails(2, message, args)
    })

    it('says its version', async () => {
      const { code, out } = await run('--version')
      assert.deepEqual([code, out], [0, '1.0.0'])
    })

    it('explains itself everywhere, with examples', async () => {
      const help = await run('--help')
      assert.equal(help.code, 0)
      assert.equal(help.error, '')
      assert.match(help.out, /Examples:/)
      const commands = [
        ['user', 'create'],
        ['folder', 'grant'],
        ['cdn', 'alias', 'add'],
        ['key', 'create'],
        ['mail', 'failures'],
        ['check'],
        ['backup'],
        ['restore'],
      ]
      for (const words of commands) {
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
