import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { type Service, startService } from '../../support/service.ts'
import { uploadAndImport } from '../../support/uploading.ts'
import { runCommand, runJson } from './run-command.ts'

describe('commands on the data of a running server', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  const json = (...args: (string | number)[]) => runJson(service.directory!, args.map(String))
  const newUser = (username: string, ...more: string[]) =>
    json(
      'user',
      'create',
      '--company',
      service.demo.company_id,
      '--username',
      username,
      '--fullname',
      username,
      '--password',
      'a password',
      ...more,
    )
  const list = (authorization: string) => service.request('/folder', { headers: { authorization } })
  const names = async (authorization: string) => ((await (await list(authorization)).json()) as { name: string }[]).map(({ name }) => name)

  it('lets a new user sign in at once, with a trashcan and no other right', async () => {
    await newUser('anna')
    assert.deepEqual(await names(await service.signIn({ username: 'Anna', password: 'a password' })), ['Trashcan'])
  })

  it('shuts a disabled user out at once, and lets them in again', async () => {
    await newUser('dora')
    const authorization = await service.signIn({ username: 'dora', password: 'a password' })
    await json('user', 'disable', '--username', 'dora')
    assert.equal((await list(authorization)).status, 401)
    await assert.rejects(service.signIn({ username: 'dora', password: 'a password' }), /401/)
    await json('user', 'enable', '--username', 'dora')
    assert.equal((await list(authorization)).status, 401)
    assert.equal((await list(await service.signIn({ username: 'dora', password: 'a password' }))).status, 200)
  })

  it('changes a password at once, and ends the tokens of the old one', async () => {
    await newUser('pat')
    const authorization = await service.signIn({ username: 'pat', password: 'a password' })
    await runJson(service.directory!, ['user', 'set-password', '--username', 'pat', '--password', '-'], 'neues Passwort\n')
    assert.equal((await list(authorization)).status, 401)
    await assert.rejects(service.signIn({ username: 'pat', password: 'a password' }), /401/)
    assert.ok(await service.signIn({ username: 'pat', password: 'neues Passwort' }))
  })

  it('publishes what is in a folder that gets an alias, and ends its links with the alias', async () => {
    const client = await service.client()
    const { company_id: company } = service.demo
    const folder = (await client['create-folder']({ body: { name: 'Press' } })).body.id
    const { id } = await uploadAndImport(client, folder, Buffer.from('some text'), 'text.txt')
    const urls = async () => {
      const { body } = await client['search-media']({ query: { unique_media_id: String(id), return_values: 'cdn_urls' } })
      return body.response.media[0]!.cdn_urls!
    }
    await json('cdn', 'alias', 'add', '--company', company, '--alias', 'press', '--folder', folder)
    assert.equal((await client['delete-folder']({ params: { id: folder } })).status, 403)
    await vi.waitUntil(async () => (await urls()).length > 0, { timeout: 60_000 })
    const [url] = await urls()
    assert.ok(url!.startsWith(`${service.demo.cdn_url}/press/`), url)
    assert.equal(await (await fetch(url!)).text(), 'some text')

    await json('cdn', 'alias', 'remove', '--company', company, '--alias', 'press')
    assert.deepEqual(await urls(), [])
    await vi.waitUntil(async () => (await fetch(url!)).status === 404, { timeout: 60_000 })
    assert.equal((await client['get-media']({ params: { id: Number(id) } })).status, 200)
    assert.equal((await client['delete-folder']({ params: { id: folder } })).status, 200)
  })

  it('renames a signed-in user at once: tokens stay valid, the old name signs in no more', async () => {
    await newUser('before')
    const authorization = await service.signIn({ username: 'before', password: 'a password' })
    await json('user', 'rename', '--username', 'before', '--new-username', 'after', '--fullname', 'After')
    const whoami = await service.request('/whoami', { headers: { authorization } })
    const { username, fullname } = (await whoami.json()) as { username: string; fullname: string }
    assert.deepEqual([whoami.status, username, fullname], [200, 'after', 'After'])
    await assert.rejects(service.signIn({ username: 'before', password: 'a password' }), /401/)
    assert.ok(await service.signIn({ username: 'after', password: 'a password' }))
  })

  it('shows folders below others by their path', async () => {
    const { out } = await runCommand(service.directory!, ['folder', 'list', '--company', String(service.demo.company_id)])
    assert.match(out, /^\d+ +Events \/ 2026 /m)
  })

  it('gives and takes rights on folders, just those named', async () => {
    const folder = service.demo.folder_id
    const { user_id } = await newUser('gus')
    const authorization = await service.signIn({ username: 'gus', password: 'a password' })
    const change = (verb: string, flags: string) => json('folder', verb, '--folder', folder, '--username', 'gus', '--flags', flags)
    assert.deepEqual(await change('grant', 'read'), { folder_id: folder, user_id, flags: ['READ'] })
    assert.deepEqual(await names(authorization), ['Products', 'Trashcan'])
    assert.deepEqual((await change('grant', 'ADMIN,WRITE')).flags, ['READ', 'WRITE', 'ADMIN'])
    assert.deepEqual((await change('revoke', 'READ,ADMIN')).flags, ['WRITE'])
    const [entry] = (await (await list(authorization)).json()) as { permissions: { groups: string[] } }[]
    assert.deepEqual(entry?.permissions.groups, ['WRITE'])
    assert.deepEqual((await change('revoke', 'WRITE')).flags, [])
    assert.deepEqual(await names(authorization), ['Trashcan'])
  })

  it('refuses rights on what is not there, of another company, or a trashcan', async () => {
    await newUser('rob')
    const grant = (folder: number) =>
      runCommand(service.directory!, ['folder', 'grant', '--folder', String(folder), '--username', 'rob', '--flags', 'READ', '--json'])
    assert.deepEqual(await grant(1), { code: 1, out: '', error: 'There is no such folder.' })
    const client = await service.client()
    const { body: folders } = await client['list-folders']()
    const trashcan = folders.find(({ name }) => name === 'Trashcan')!
    assert.match((await grant(trashcan.id)).error, /trashcan is its owner's alone/)
    const other = await json('company', 'create', '--name', 'Other')
    const stranger = ['--company', other.company_id, '--username', 'eve', '--fullname', 'Eve', '--password', 'a password']
    await json('user', 'create', ...stranger)
    const refused = await runCommand(service.directory!, [
      ...['folder', 'grant', '--folder', String(service.demo.folder_id), '--username', 'eve', '--flags', 'READ'],
    ])
    assert.equal(refused.code, 1)
    assert.match(refused.error, /eve does not belong to company \d+/)
  })

  it('makes and unmakes admins at once', async () => {
    await newUser('ada')
    const authorization = await service.signIn({ username: 'ada', password: 'a password' })
    const args = ['--username', 'ada', '--company', service.demo.company_id]
    await json('admin', 'grant', ...args)
    assert.ok((await names(authorization)).includes('Products'))
    await json('admin', 'revoke', ...args)
    assert.deepEqual(await names(authorization), ['Trashcan'])
  })

  it('revokes a key at once, with the tokens that were issued through it', async () => {
    const { key, secret } = await json('key', 'create', '--company', service.demo.company_id)
    const demo = { api_key: key, api_secret: secret }
    const authorization = await service.signIn(demo)
    assert.equal((await list(authorization)).status, 200)
    await json('key', 'revoke', '--key', key)
    assert.equal((await list(authorization)).status, 401)
    await assert.rejects(service.signIn(demo), /401/)
  })

  it('shows a user the folders of a company that they joined', async () => {
    await newUser('jo')
    const authorization = await service.signIn({ username: 'jo', password: 'a password' })
    const other = (await json('company', 'create', '--name', 'Joined')).company_id
    await json('user', 'join', '--username', 'jo', '--company', other)
    const response = await service.request(`/folder?company_id=${other}`, { headers: { authorization } })
    const folders = (await response.json()) as { name: string; company_id: number }[]
    assert.deepEqual(
      folders.map(({ name, company_id }) => ({ name, company_id })),
      [{ name: 'Trashcan', company_id: other }],
    )
  })

  it('ends quietly when nobody reads on', async () => {
    const program = fileURLToPath(new URL('../../../infra/admin/main.ts', import.meta.url))
    const command = spawn(process.execPath, [program, 'folder', 'list', '--company', String(service.demo.company_id)], {
      env: { PATH: process.env.PATH, DATA_DIR: service.directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    command.stdout.destroy()
    const said = await text(command.stderr)
    assert.equal(said, '')
  })

  it('prints one JSON value and nothing else when run through npm', async () => {
    const { stdout, stderr } = await promisify(execFile)('npm', ['run', '--silent', 'admin', '--', 'company', 'list', '--json'], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: { ...process.env, DATA_DIR: service.directory },
    })
    assert.ok(JSON.parse(stdout).some(({ name }: { name: string }) => name === 'Demo'))
    assert.ok(!stderr.includes('ExperimentalWarning'))
  })
})
