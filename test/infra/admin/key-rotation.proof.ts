import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { openLibrary } from '../../../infra/admin/library/library.ts'
import { rotateLocalKey } from '../../../infra/admin/library/local-keys.ts'
import type { OpenLibrary } from '../../../infra/homes/open-library.ts'
import { makeBackup } from '../../../infra/local/backup/make-backup.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { openEmbeddedSecrets } from '../../../shared/backends/secrets/embedded.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { apiKeyKey, createKey, listKeys } from '../../../shared/library/accounts/api-keys.ts'
import { decryptApiSecret } from '../../../shared/library/accounts/api-secrets.ts'
import { createProvider, listProviders, openIdProviderOf } from '../../../shared/library/accounts/providers.ts'
import { sharesOfCompany } from '../../../shared/library/shares/manage.ts'
import { secretName } from '../../../shared/library/shares/share.ts'
import { secretsAt } from '../../../shared/library/webhooks/secrets.ts'
import { webhooksOf } from '../../../shared/library/webhooks/webhook.ts'
import { toCompanyId } from '../../../shared/vocabulary/ids.ts'
import { type Service, startService } from '../../support/service.ts'
import { postForm, upload, uploadAndImport } from '../../support/uploading.ts'
import { runCommand, runJson } from './run-command.ts'

const cwd = fileURLToPath(new URL('../../..', import.meta.url))
const by = { kind: 'operator', command: 'test' } as const

const secretsIn = (directory: string) => JSON.parse(readFileSync(embeddedLayout(directory).secrets, 'utf8'))

/** All values of both keys, in whatever form they are stored. */
const valuesIn = (directory: string): string[] =>
  Object.values(secretsIn(directory)).flatMap((key) => (typeof key === 'string' ? [key] : Object.values(key as object).map(String)))

/** What the stored secrets of a company open to, each bound to its record. @throws where a key opens none */
async function storedSecrets(library: OpenLibrary, company: number): Promise<unknown[]> {
  const companyId = toCompanyId(company)
  const keys = await listKeys(library, companyId)
  const hooks = await webhooksOf(library, companyId)
  const shares = await sharesOfCompany(library, companyId)
  return [
    ...(await Promise.all(keys.map(({ key, encryptedSecret }) => decryptApiSecret(library, key, encryptedSecret)))),
    ...(await Promise.all(hooks.map((hook) => secretsAt(library, hook, Date.now())))),
    ...(await Promise.all(shares.map(({ share }) => decryptApiSecret(library, secretName(share.shareId), share.encryptedSecret!)))),
    ...(await Promise.all((await listProviders(library)).map((provider) => openIdProviderOf(library, provider)))),
  ]
}

const newProvider = (companyId: number) => ({
  ...{ companyId: toCompanyId(companyId), name: 'Acme', issuer: 'https://login.example.com', clientId: 'library' },
  ...{ clientSecret: 'of the provider', domains: [], usernameClaim: 'email', groups: [], createUsers: false, joinByEmail: false },
})

describe('keys that rotate under a running server', () => {
  let service: Service
  let library: OpenLibrary
  beforeAll(async () => {
    service = await startService({ WEBHOOK_HTTP: '1', WEBHOOK_ALLOW: '127.0.0.0/8' })
    library = await openLibrary({ stack: undefined, environment: { DATA_DIR: service.directory } })
  })
  afterAll(async () => {
    library?.close()
    await service?.stop()
  })

  const rotate = (kind: string) => runJson(service.directory!, ['key', 'rotate', '--kind', kind])

  /** A request that is repeated until it is told to stop. */
  function load(request: () => Promise<void>) {
    let isOn = true
    let count = 0
    async function run() {
      while (isOn) {
        await request()
        count++
      }
    }
    const running = run()
    // Told when the load is stopped, also where it fails before.
    running.catch(() => undefined)
    return {
      /** What was begun before has ended, and some more: only then is what it was handed out two rotations old. */
      async goneOn() {
        const enough = count + 2
        await Promise.race([running, vi.waitUntil(() => count >= enough, { timeout: 300_000 })])
      },
      /** @throws what a request failed with */
      async stop() {
        isOn = false
        await running
      },
    }
  }

  async function fileUrl(id: number): Promise<string> {
    return (await (await service.client())['get-download-location']({ params: { id } })).body.url
  }

  it('the URL key: each URL works when it is handed out and after one rotation, and after two no more', async () => {
    const client = await service.client()
    const folder = (await client['create-folder']({ body: { name: 'URLs' } })).body.id
    const { id } = await uploadAndImport(client, folder, Buffer.from('some text'), 'text.txt')
    const first = await fileUrl(Number(id))
    const loaded = load(async () => {
      const url = await fileUrl(Number(id))
      const answer = await fetch(url)
      assert.equal(answer.status, 200, url)
      assert.equal(await answer.text(), 'some text')
    })
    const status = async (url: string) => (await fetch(url)).status
    assert.deepEqual(await rotate('url'), { kind: 'url', rotated: true })
    const second = await fileUrl(Number(id))
    assert.notEqual(second, first)
    assert.deepEqual(await Promise.all([first, second].map(status)), [200, 200])
    await loaded.goneOn()
    await rotate('url')
    assert.deepEqual(await Promise.all([first, second, await fileUrl(Number(id))].map(status)), [403, 200, 200])
    await loaded.stop()
  })

  it('the key to secrets: what it sealed is read all the time, and is sealed anew', async () => {
    const { company_id: company, api_key: key, api_secret: secret } = service.demo
    const client = await service.client()
    const folder = (await client['create-folder']({ body: { name: 'Secrets' } })).body.id
    await createProvider({ ...library, by }, newProvider(company))
    const hook = (await client['create-webhook']({ body: { url: 'http://127.0.0.1:9/' } })).body
    const made = (await client['create-share']({ body: { folder_id: folder } })).body
    const sealed = async () =>
      (await library.table.get<{ pk: string; sk: string; encryptedSecret: string }>(apiKeyKey(key)))?.encryptedSecret
    const [before, opened] = [await sealed(), await storedSecrets(library, company)]

    const loads = [
      load(async () => void (await service.signIn({ api_key: key, api_secret: secret }))),
      load(async () => {
        const made = await createKey({ ...library, by }, { companyId: toCompanyId(company), grants: [] })
        assert.match(await service.signIn({ api_key: made.record.key, api_secret: made.secret }), /Token=/)
      }),
      load(async () => {
        const { status } = await client['rotate-webhook-secret']({ params: { webhookId: hook.id }, body: { overlap_hours: 1 } })
        assert.equal(status, 200)
      }),
      load(async () => void (await upload(client, folder, Buffer.from('text'), 'text.txt'))),
    ]
    const registered = (await client['register-upload']({ body: { folder } })).body
    const other = (await client['register-upload']({ body: { folder } })).body
    assert.deepEqual(await rotate('secrets'), { kind: 'secrets', rotated: true })
    assert.notEqual(await sealed(), before)
    assert.equal((await postForm(registered, Buffer.from('text'), 'text.txt')).status, 303)
    await Promise.all(loads.map((each) => each.goneOn()))
    await rotate('secrets')
    assert.equal((await postForm(other, Buffer.from('text'), 'text.txt')).status, 403)
    for (const each of loads) await each.stop()

    // The key of before opens nothing: all was sealed anew, also what was made meanwhile.
    const { current } = await library.apiSecretsKey.get('apiSecretsKey')
    const alone = { ...library, apiSecretsKey: { get: async () => ({ current }) } }
    const left = await storedSecrets(alone, company)
    assert.equal(left.length > opened.length, true)
    assert.deepEqual(left[0], secret)
    assert.equal((await client['get-share']({ params: { shareId: made.id } })).body.url, made.url)
    assert.deepEqual(left.at(-1), opened.at(-1))
  })

  it('leaves one line: which kind of key, when, and by whom; and nothing of a key in the log or in the answers of the commands', async () => {
    const before = valuesIn(service.directory!)
    for (const kind of ['url', 'secrets']) {
      const began = Date.now()
      const { code, out, error } = await runCommand(service.directory!, ['key', 'rotate', '--kind', kind])
      assert.equal(code, 0, error)
      const told = [out, error, ...service.log].join('\n')
      for (const value of [...before, ...valuesIn(service.directory!)].filter((each) => each.length > 20)) {
        for (const line of value.split('\n').filter((each) => /^[\w+/=]{20,}$/.test(each))) assert.ok(!told.includes(line))
      }
      const lines = error.split('\n').filter((line) => line.startsWith('{'))
      assert.equal(lines.length, 1)
      const { time, ...line } = JSON.parse(lines[0]!)
      assert.ok(Date.parse(time) >= began && Date.parse(time) <= Date.now())
      const who = { by: { ...by, command: 'key rotate' }, user: userInfo().username }
      assert.deepEqual(line, { level: 'info', message: 'key rotated', kind, ...who })
    }
  })

  it('two rotations at once lose nothing: the later one goes on with the first, or is refused in words', async () => {
    const both = await Promise.all([1, 2].map(() => runCommand(service.directory!, ['key', 'rotate', '--kind', 'secrets'])))
    assert.ok(both.some(({ code }) => code === 0))
    for (const { code, error } of both) if (code !== 0) assert.match(error, /Another rotation of this key is running/)
    assert.equal((await storedSecrets(library, service.demo.company_id))[0], service.demo.api_secret)
  })
})

const root = mkdtempSync(join(tmpdir(), 'media-library-rotation-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A library whose secrets were never rotated. */
async function libraryWith(name: string, keys: number) {
  const directory = join(root, name)
  const { company_id: company } = await runJson(directory, ['company', 'create', '--name', 'Acme'])
  const library = await openLibrary({ stack: undefined, environment: { DATA_DIR: directory } })
  for (let key = 0; key < keys; key++) await createKey({ ...library, by }, { companyId: toCompanyId(company), grants: [] })
  await createProvider({ ...library, by }, newProvider(company))
  assert.equal(typeof secretsIn(directory).apiSecretsKey, 'string')
  return { directory, company: Number(company), library }
}

describe('backups while keys rotate', () => {
  it('have the keys that open their records, however often these rotate meanwhile', async () => {
    const { directory, company, library } = await libraryWith('data', 5)
    const opened = await storedSecrets(library, company)
    const { secrets: secretsFile } = embeddedLayout(directory)
    const surroundings = { clock: { ...systemClock, sleep: async () => undefined }, tell: () => undefined }
    for (let count = 0; count < 5; count++) {
      const target = join(root, `target-${count}`)
      let ended = false
      const making = makeBackup({ dataDirectory: directory, target, productVersion: '1.0.0', clock: systemClock, verify: false })
      const made = making.finally(() => {
        ended = true
      })
      while (!ended) await rotateLocalKey('secrets', { secretsFile, table: library.table }, surroundings)
      const { folder } = await made
      const table = openEmbeddedTable(join(folder, 'table.db'))
      const copy = { ...library, table, apiSecretsKey: openEmbeddedSecrets(join(folder, 'secrets.json')) }
      assert.deepEqual(await storedSecrets(copy, company), opened)
      table.close()
    }
    library.close()
  })
})

describe('a rotation of keys that fails', () => {
  const rotate = (directory: string, kind = 'secrets') => runCommand(directory, ['key', 'rotate', '--kind', kind])

  it('killed anywhere, and run again: every secret opens, the first ones by the last key alone', async () => {
    const { directory, company, library } = await libraryWith('killed', 300)
    const opened = await storedSecrets(library, company)
    for (let kill = 0; kill < 6; kill++) {
      const command = [process.execPath, '--require', './infra/start-up.cjs', 'infra/admin/main.ts', 'key', 'rotate', '--kind', 'secrets']
      const child = spawn(command[0]!, command.slice(1), { cwd, env: { PATH: process.env.PATH, DATA_DIR: directory }, stdio: 'ignore' })
      const ended = once(child, 'close')
      const before = JSON.stringify(secretsIn(directory))
      // Kills it in each of its steps: with the next key, before and while secrets are sealed anew with it.
      const isThere = () => {
        const { apiSecretsKey } = secretsIn(directory)
        const isChanged = JSON.stringify(secretsIn(directory)) !== before
        return isChanged && (kill % 3 === 0 || (typeof apiSecretsKey === 'object' && apiSecretsKey.previous !== undefined))
      }
      while (child.exitCode === null && !isThere()) await sleep(5)
      if (kill % 3 === 2) {
        const { current } = secretsIn(directory).apiSecretsKey
        const alone = { ...library, apiSecretsKey: { get: async () => ({ current }) } }
        const isBegun = async () => {
          const [first] = await listKeys(library, toCompanyId(company))
          return decryptApiSecret(alone, first!.key, first!.encryptedSecret).then(Boolean, () => false)
        }
        while (child.exitCode === null && !(await isBegun())) await sleep(1)
      }
      child.kill('SIGKILL')
      await ended
      assert.deepEqual(await storedSecrets(library, company), opened, `kill ${kill}`)
    }
    const { code, error } = await rotate(directory)
    assert.equal(code, 0, error)
    const { current } = await library.apiSecretsKey.get('apiSecretsKey')
    assert.deepEqual(await storedSecrets({ ...library, apiSecretsKey: { get: async () => ({ current }) } }, company), opened)
    library.close()
  })

  it('a secret that no key opens refuses the rotation in words, and nothing is changed', async () => {
    const { directory, company, library } = await libraryWith('unreadable', 2)
    const [, key] = await listKeys(library, toCompanyId(company))
    const broken = Buffer.from(key!.encryptedSecret, 'base64')
    broken[20]! ^= 1
    await library.table.update(apiKeyKey(key!.key), { set: { encryptedSecret: broken.toString('base64') } })
    const before = readFileSync(embeddedLayout(directory).secrets, 'utf8')
    const { code, error } = await rotate(directory)
    assert.equal(code, 1)
    assert.match(error, new RegExp(`The secret of API key ${key!.keyId} of company ${company} opens with no key`))
    assert.equal(readFileSync(embeddedLayout(directory).secrets, 'utf8'), before)
    await runJson(directory, ['key', 'revoke', '--key', key!.key])
    assert.equal((await rotate(directory)).code, 0)
    library.close()
  })

  it('a damaged file of secrets stays as it is', async () => {
    const { directory, library } = await libraryWith('damaged', 1)
    library.close()
    const file = embeddedLayout(directory).secrets
    cpSync(file, `${file}.whole`)
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20))
    const { code, error } = await rotate(directory, 'url')
    assert.deepEqual([code, /damaged/.test(error)], [1, true])
    cpSync(`${file}.whole`, file)
    assert.equal((await rotate(directory, 'url')).code, 0)
  })

  it('one machine has no origin key, and other kinds are wrong usage', async () => {
    const { directory, library } = await libraryWith('usage', 0)
    library.close()
    const origin = await rotate(directory, 'origin')
    assert.deepEqual([origin.code, /One machine has no such key/.test(origin.error)], [1, true])
    assert.equal((await rotate(directory, 'all')).code, 2)
  })
})
