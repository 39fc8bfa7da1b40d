import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, it } from 'vitest'
import { startServer } from '../../../infra/local/server.ts'
import { readSettings } from '../../../infra/local/settings.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { serviceWithAccounts } from '../../support/service-with-accounts.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { runCommand, runJson } from './run-command.ts'

describe('commands on the data of a running server', async () => {
  const { service } = await serviceWithAccounts()

  const json = (...args: (string | number)[]) => runJson(service.directory!, args.map(String))
  const newUser = (username: string) => {
    const names = ['--username', username, '--fullname', username, '--password', 'a password']
    return json('user', 'create', '--company', service.demo.company_id, ...names)
  }
  const list = (authorization: string) => service.request('/folder', { headers: { authorization } })
  const names = async (authorization: string) => ((await (await list(authorization)).json()) as { name: string }[]).map(({ name }) => name)

  describe('prints addresses', () => {
    const add = async (directory: string, settings: Record<string, string> = {}) => {
      const [{ company_id }] = await runJson(directory, ['company', 'list'])
      const args = ['--company', String(company_id), '--name', 'Acme', '--issuer', 'https://login.example.com', '--client-id', 'library']
      const { out, error } = await runCommand(directory, ['sso', 'add', ...args, '--client-secret', 'secret', '--json'], '', settings)
      return { ...(JSON.parse(out) as { callback_url: string; start_url: string }), error }
    }

    it('of the server that runs, whatever its port and the settings of the command', async () => {
      for (const settings of [{}, { PORT: '4321' }, { BASE_URL: 'https://media.example.com' }]) {
        const { callback_url, start_url, error } = await add(service.directory!, settings as Record<string, string>)
        assert.deepEqual([callback_url, error], [`${service.baseUrl}/session/sso/callback`, ''])
        const { status } = await fetch(start_url, { redirect: 'manual' })
        assert.notEqual(status, 404)
      }
    })

    it('that the next server will have, where none runs, and says so', async () => {
      const start = async (environment: Record<string, string> = {}) => {
        const directory = temporaryDirectory()
        const settings = readSettings({ PORT: '0', DATA_DIR: directory, ...environment })
        const { stop } = await startServer(settings, { log: jsonLog(() => undefined), say: () => undefined, isTerminal: false })
        return { directory, stop: () => stop(5_000) }
      }
      const [running, named] = [await start(), await start({ BASE_URL: 'https://media.example.com' })]
      assert.equal((await add(named.directory)).callback_url, 'https://media.example.com/session/sso/callback')
      await Promise.all([running.stop(), named.stop()])
      // Another program may have its port by now.
      const ended = await add(running.directory)
      assert.equal(ended.callback_url, 'http://127.0.0.1:4000/session/sso/callback')
      assert.match(ended.error, /No server runs on .*http:\/\/127\.0\.0\.1:4000/)
      assert.equal((await add(running.directory, { PORT: '4321' })).callback_url, 'http://127.0.0.1:4321/session/sso/callback')
      const behind = await add(named.directory)
      assert.equal(behind.callback_url, 'https://media.example.com/session/sso/callback')
      assert.match(behind.error, /No server runs/)
      assert.equal((await add(named.directory, { PORT: '4321' })).callback_url, 'http://127.0.0.1:4321/session/sso/callback')
    })
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
