import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { CATALOGUE } from '../../../shared/vocabulary/ids.ts'
import { noDomains } from '../../support/mail-addresses.ts'
import { type Outcome, runCommand, runJson, temporaryLibrary } from './run-command.ts'

const CREATED = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const LONG = 'x'.repeat(256)

describe("the operator's command line", async () => {
  const directory = await temporaryLibrary()
  const company: number = (await runJson(directory, ['company', 'create', '--name', 'Acme'])).company_id

  const run = (...args: (string | number)[]): Promise<Outcome> => runCommand(directory, args.map(String))
  const json = (...args: (string | number)[]) => runJson(directory, args.map(String))
  /** Words of `user create`. */
  const userNamed = (username: string, of = company) => [
    ...['user', 'create', '--company', of, '--username', username],
    ...['--fullname', 'Anna Berg', '--password', 'a password'],
  ]
  const newUser = (username: string, ...more: string[]) => json(...userNamed(username), ...more)
  const newCompany = async (name: string): Promise<number> => (await json('company', 'create', '--name', name)).company_id

  async function assertFails(code: number, message: RegExp, args: readonly (string | number)[]): Promise<void> {
    const outcome = await run(...args, '--json')
    assert.equal(outcome.code, code, outcome.error)
    assert.equal(outcome.out, '')
    assert.match(outcome.error, message)
    if (code === 2) assert.match(outcome.error, /Usage: admin/)
  }

  it('makes companies, with trimmed names, lists them oldest first, and renames them', async () => {
    const made = await json('company', 'create', '--name', '  Ärzte & Co ')
    assert.deepEqual(made, { company_id: made.company_id, name: 'Ärzte & Co' })
    const renamed = await json('company', 'rename', '--company', made.company_id, '--name', 'After')
    const [first, second] = await json('company', 'list')
    assert.deepEqual([first.name, second], ['Acme', renamed])
    assert.deepEqual(Object.keys(first), ['company_id', 'name', 'created'])
    assert.match(first.created, CREATED)
  })

  it.each([
    [0, 0],
    [2 ** 50, 2 ** 50],
    ['none', null],
  ])('sets a quota of %s', async (bytes, quota_bytes) => {
    assert.deepEqual(await json('company', 'set-quota', '--company', company, '--bytes', bytes), { quota_bytes })
  })

  it.each([1, 20, 1_000])('has %i versions of a file kept', async (keep) => {
    assert.deepEqual(await json('company', 'set-versions', '--company', company, '--keep', keep), { versions_kept: keep })
  })

  it.each(['0', '1001', 'all', '1.5'])('refuses to keep %s versions', async (keep) => {
    await assertFails(2, /from 1 to 1000/, ['company', 'set-versions', '--company', company, '--keep', keep])
  })

  it.each(['streaming', 'stock', 'keywords'])('enables and disables %s, any number of times', async (right) => {
    for (const action of ['enable', 'enable', 'disable', 'disable'])
      assert.deepEqual(await json(right, action, '--company', company), { company_id: company, [right]: action === 'enable' })
  })

  it('asks for keywords only where the company opted in', async () => {
    const suggest = ['keywords', 'suggest', '--company', company]
    await assertFails(1, /Company \d+ has not opted in .* keywords enable --company/, suggest)
    await json('keywords', 'enable', '--company', company)
    assert.deepEqual(await json(...suggest), { queued: 0, done: 0 })
    assert.equal((await run(...suggest)).out, '0 pictures wait for keywords. 0 had been looked at before.')
  })

  it.each([
    ...['key create', 'user list', 'user join --username anna', 'folder list', 'cdn alias add --alias catalogue', 'downloads list'],
    ...['events export', 'stock enable', 'keywords suggest'],
  ])('takes the stock catalogue for no company of %s', async (command) => {
    await assertFails(2, /--company <id>.*must be an id/, [...command.split(' '), '--company', CATALOGUE])
  })

  describe('user', () => {
    it('makes users and admins, who are listed and shown with all their companies', async () => {
      const anna = await newUser('anna')
      assert.deepEqual(anna, { user_id: anna.user_id, username: 'anna', company_id: company, admin: false })
      const names = { user_id: anna.user_id, username: 'anna', fullname: 'Anna Berg', email: null, disabled: false }
      const [{ created, ...listed }] = await json('user', 'list', '--company', company)
      assert.deepEqual(listed, { ...names, company_id: company, admin: false })
      assert.match(created, CREATED)
      assert.equal((await newUser('boss', '--admin')).admin, true)
      await json('admin', 'grant', '--username', 'anna', '--company', company)
      const other = await newCompany('Further')
      for (const again of [1, 2]) {
        const joined = await json('user', 'join', '--username', 'anna', '--company', other)
        assert.deepEqual(joined, { user_id: anna.user_id, companies: [company, other] }, `join ${again}`)
      }
      assert.equal((await json('user', 'list', '--company', other)).length, 1)
      assert.deepEqual(await json('user', 'show', '--username', 'Anna'), {
        ...{ ...names, created },
        companies: [
          { company_id: company, name: 'Acme', admin: true },
          { company_id: other, name: 'Further', admin: false },
        ],
      })
      assert.match((await run('user', 'show', '--username', 'anna')).out, /^company {4}\d+, Acme \(admin\)$/m)
      const revoked = await json('admin', 'revoke', '--username', 'anna', '--company', company)
      assert.deepEqual(revoked, { user_id: anna.user_id, company_id: company, admin: false })
    })

    it('says where the e-mail of a user goes: an address that is given, else the username where it is one', async () => {
      const emailOf = async (username: string) => (await json('user', 'show', '--username', username)).email
      assert.equal((await newUser('mailed', '--email', ' m@example.com ')).email, 'm@example.com')
      assert.equal(await emailOf('mailed'), 'm@example.com')
      assert.equal((await newUser('nora@example.com')).email, 'nora@example.com')
      const { user_id } = await newUser('unmailed')
      const set = ['user', 'set-email', '--username', 'unmailed', '--email']
      assert.deepEqual(await json(...set, 'u@example.com'), { user_id, email: 'u@example.com' })
      const wrong = noDomains.map((domain) => `x@${domain}`).filter((each) => each.trim() !== 'x@a.test')
      for (const address of ['not an address', ...wrong]) await assertFails(2, /one e-mail address/, [...set, address])
      await assertFails(2, /one e-mail address/, [...userNamed('wrong'), '--email', 'not an address'])
      assert.equal((await json(...set, 'U@Bücher.example')).email, 'U@xn--bcher-kva.example')
    })

    it.each(['x@a.test/.evil.test', 'x@a%2etest', 'x@127.1'])('takes the username %s for no e-mail address', async (username) => {
      await newUser(username)
      assert.equal((await json('user', 'show', '--username', username)).email, null)
    })

    it('warns of a user to whom no e-mail can go, and says what to do', async () => {
      const warned = await run(...userNamed('without mail'))
      assert.equal(warned.code, 0)
      assert.match(warned.error, /can't reset a forgotten password.*user set-email --username without mail --email/)
      assert.equal((await run(...userNamed('with@example.com'))).error, '')
      const renamed = await run('user', 'rename', '--username', 'with@example.com', '--new-username', 'with')
      assert.match(renamed.error, /No e-mail can go to with,/)
    })

    it('takes a password from the first line of standard input', async () => {
      const { user_id } = await newUser('stdin')
      const args = ['user', 'set-password', '--username', 'stdin', '--password', '-']
      assert.deepEqual(await runJson(directory, args, 'päss word\r\nrest'), { user_id })
    })

    it('deletes whom the operator confirms by typing their name', async () => {
      const { username } = await newUser('eve')
      const remove = ['user', 'delete', '--username', 'EVE']
      const asked = /loses all rights.* Type "eve" to delete it for good: \nNothing was deleted\. To delete without a question: --yes$/
      for (const typed of ['', 'yes\n', 'ev\n']) {
        const { code, out, error } = await runCommand(directory, remove, typed)
        assert.deepEqual([code, out], [1, ''])
        assert.match(error, asked)
      }
      assert.deepEqual(await runJson(directory, remove, `${username}\n`), {})
      await assertFails(1, /There is no user eve\./, ['user', 'show', '--username', 'eve'])
      await newUser('eve')
      assert.deepEqual(await json(...remove, '--yes'), {})
    })

    it('renames a user: username, full name, or both', async () => {
      const { user_id } = await newUser('old')
      const rename = (...args: string[]) => json('user', 'rename', '--username', ...args)
      assert.deepEqual(await rename('old', '--new-username', ' Neu '), { user_id, username: 'Neu', fullname: 'Anna Berg' })
      assert.deepEqual(await rename('neu', '--fullname', 'Anna Holm'), { user_id, username: 'Neu', fullname: 'Anna Holm' })
      assert.deepEqual(await rename('neu', '--new-username', 'NEU', '--fullname', 'A'), { user_id, username: 'NEU', fullname: 'A' })
      assert.notEqual((await newUser('old')).user_id, user_id)
      await assertFails(1, /The username old is taken\./, ['user', 'rename', '--username', 'neu', '--new-username', 'old'])
      assert.deepEqual(await json('check'), { clean: true, problems: [] })
    })

    it('keeps the last admin of a company who can sign in: from revoking, disabling and deleting', async () => {
      const other = await newCompany('Of two')
      await json(...userNamed('one', other), '--admin')
      const revoke = (username: string) => ['admin', 'revoke', '--username', username, '--company', other]
      const refusal = /one is the last admin of company \d+\. Make somebody else one first, with: admin grant --username NAME --company ID/
      await assertFails(1, refusal, revoke('one'))
      for (const command of [['disable'], ['delete', '--yes']]) await assertFails(1, refusal, ['user', ...command, '--username', 'one'])
      const two = await json(...userNamed('two', other), '--admin')
      assert.deepEqual(await json('user', 'disable', '--username', 'two'), { user_id: two.user_id, disabled: true })
      await assertFails(1, refusal, revoke('one'))
      assert.deepEqual(await json('user', 'enable', '--username', 'two'), { user_id: two.user_id, disabled: false })
      const outcomes = await Promise.all([run(...revoke('one')), run(...revoke('two'))])
      assert.deepEqual(outcomes.map(({ code }) => code).sort(), [0, 1])
    })
  })

  it('lists all folders of a company, by their path', async () => {
    const { user_id } = await newUser('owner')
    const listed = await json('folder', 'list', '--company', company)
    const { folder_id, created, ...trashcan } = listed.find(({ owner }: { owner: number | null }) => owner === user_id)
    assert.deepEqual(trashcan, { name: 'Trashcan', parent: null, system: 'trash', owner: user_id })
    assert.match(created, CREATED)
    const [titles, ...rows] = (await run('folder', 'list', '--company', company)).out.split('\n')
    assert.match(titles!, /^ID +PATH +KIND +CREATED \(UTC\)$/)
    assert.ok(rows.some((row) => /^\d+ +Public gallery +public +\d{4}-/.test(row)))
    assert.ok(rows.some((row) => row.includes(`trash of user ${user_id}`)))
  })

  it('makes keys with and without grants, lists them without secrets, and revokes them', async () => {
    const plain = await json('key', 'create', '--company', company)
    assert.deepEqual(Object.keys(plain), ['id', 'key', 'secret', 'company_id', 'grants'])
    assert.deepEqual(plain.grants, [])
    const granted = await json('key', 'create', '--company', company, '--grants', 'password_reset,downloads')
    assert.deepEqual(granted.grants, ['downloads', 'password_reset'])
    const [listed, ...others] = await json('key', 'list', '--company', company)
    assert.deepEqual([Object.keys(listed), others.length], [['id', 'key', 'company_id', 'grants', 'created'], 1])
    assert.deepEqual(await json('key', 'revoke', '--key', plain.key), { key: plain.key, revoked: true })
    assert.equal((await json('key', 'list', '--company', company)).length, 1)
    await assertFails(1, /There is no key/, ['key', 'revoke', '--key', plain.key])
  })

  it.each([
    ...['company rename --company 1 --name x', 'company set-quota --company 1 --bytes 1', 'streaming enable --company 1'],
    ...['user create --company 1 --username x --fullname x --password 12345678', 'user list --company 1', 'user disable --username nobody'],
    ...['user show --username nobody', 'user set-password --username nobody --password 12345678', 'folder list --company 1'],
    'key create --company 1',
  ])('says who or what is not there: %s', (command) =>
    assertFails(1, /There is no (company 1|user nobody)\. List the .* with: /, command.split(' ')),
  )

  it('shows the usage and exits with 2 when it is wrong', async () => {
    const setQuota = ['company', 'set-quota', '--company', '7', '--bytes']
    await newUser('misused')
    const setPassword = ['user', 'set-password', '--username', 'misused', '--password']
    const wrong: [string[], RegExp][] = [
      [[], /Usage: admin/],
      [['company'], /Usage: admin company/],
      [['nonsense'], /unknown command 'nonsense'/],
      ...['  ', LONG, 'a\u0000b'].map((name): [string[], RegExp] => [['company', 'create', '--name', name], /--name/]),
      ...['', '-1', '1.5', String(2 ** 51)].map((bytes): [string[], RegExp] => [[...setQuota, bytes], /--bytes/]),
      [['user', 'create'], /required options '--company <id>', '--username <name>', '--fullname <name>', '--password <password>' not spec/],
      ...['-', '1234567'].map((short): [string[], RegExp] => [[...setPassword, short], /the password must be at least 8 characters/]),
      [[...setPassword, 'ä'.repeat(513)], /at most 1024 bytes/],
      [['user', 'rename', '--username', 'misused'], /give --new-username, --fullname or both/],
      [['mail', 'failures', '--since', 'yesterday'], /--since <time>.*must be a day or a time/],
      [['mail', 'failures', '--since', '2026-02-30'], /must be a day or a time/],
      [['mail', 'failures', '--limit', '10001'], /--limit <count>.*must be a whole number/],
      [['key', 'create', '--company', '7', '--grants', 'all'], /one or more of downloads, password_reset/],
      [['company', 'list', '--bogus'], /unknown option '--bogus'/],
      [['company', 'list', 'extra'], /too many arguments/],
      [['user', 'list', '--company', '12x'], /must be an id/],
      [['user', 'list', '--company', '99999999999'], /must be an id/],
      [['folder', 'grant', '--folder', '1', '--username', 'a', '--flags', 'EVERYTHING'], /one or more of READ, WRITE, ADMIN, UPLOAD/],
    ]
    for (const [args, message] of wrong) await assertFails(2, message, args)
  })

  it('takes only domains for those of a provider of sign-on', async () => {
    const provider = ['--company', company, '--name', 'Acme', '--issuer', 'https://a.test', '--client-id', 'x', '--client-secret', 'x']
    for (const domain of ['test', ...noDomains.filter((each) => each.trim() !== 'a.test')]) {
      await assertFails(2, /It must be domains/, ['sso', 'add', ...provider, '--domains', `b.test,${domain}`])
    }
    assert.deepEqual(await json('sso', 'list', '--company', company), [])
  })

  it('explains itself, says its version, and speaks to people without --json, which stands before or after the command', async () => {
    const help = await run('--help')
    assert.deepEqual([help.code, help.error], [0, ''])
    assert.match(help.out, /Examples:/)
    assert.deepEqual(await run('--version'), { code: 0, out: '1.0.0', error: '' })
    assert.match((await run('company', 'create', '--name', 'Plain')).out, /^Made company \d+, Plain\.$/)
    const [titles, ...rows] = (await run('company', 'list')).out.split('\n')
    assert.match(titles ?? '', /^ID +NAME +CREATED \(UTC\)$/)
    assert.ok(rows.some((row) => /^\d+ +Plain +\d{4}-/.test(row)))
    assert.deepEqual(JSON.parse((await run('--json', 'company', 'list')).out), await json('company', 'list'))
  })
})
