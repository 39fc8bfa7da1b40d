import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withToken } from '../../../../infra/clients/client/client.ts'
import { packClient } from '../../../../infra/clients/client/pack.ts'
import { freePort } from '../../../support/aws/free-port.ts'
import { pretendEncoded } from '../../../support/encoded.ts'
import { images, mp4 } from '../../../support/pictures/index.ts'
import { quadrantImage } from '../../../support/pictures/quadrants.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { uploadAndImport } from '../../../support/uploading.ts'

const run = promisify(execFile)

/** The programs in a page of the package. */
const programsIn = async (page: string) =>
  [...(await readFile(`infra/clients/client/${page}`, 'utf8')).matchAll(/```js\n(.*?)```/gs)].map(([, program]) => program!)
const examples = await programsIn('README.md')
const [website, backup, receiver] = await programsIn('EXAMPLES.md')
const patience = { timeout: 300_000, interval: 100 }

/** All versions of Node that are here: the package must run on older ones than the project. */
const nodes = [process.execPath, ...process.env.PATH!.split(delimiter).map((directory) => join(directory, 'node'))].filter(existsSync)

/** What the compiler must accept, and where it must not. */
const typed = `
import { signIn, type Schemas } from 'media-library'
const library = await signIn({ url: '' }, { username: '', password: '' })
const folder = await library.post('/folder', { body: { name: 'Harbour' } })
const id: number = await library.upload(new Blob([]), { folder: folder.id, filename: 'a.jpg' })
const media: Schemas['Media'] = await library.waitUntilAvailable(id)
for await (const { unique_media_id, title } of library.searchAll({ return_values: ['title'] })) void [unique_media_id, title, media]
// @ts-expect-error: ids are numbers
await library.get('/folder/{id}', { params: { path: { id: '1' } } })
// @ts-expect-error: the path is unknown
await library.get('/folders')
`

/** A keychain that is a file. */
const fileKeyring = `
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
export class Entry {
  setPassword(password) { writeFileSync('keychain', password) }
  getPassword() { return existsSync('keychain') ? readFileSync('keychain', 'utf8') : null }
  deletePassword() { rmSync('keychain'); return true }
}`

describe('the client package', async () => {
  const { service, person, accounts } = await serviceWithAccounts({ WEBHOOK_HTTP: '1', WEBHOOK_ALLOW: '127.0.0.0/8' })
  const anna = await person({ companyId: await accounts.company('Company'), admin: true })
  const token = anna.authorization.replace(/^.*Token=/, '')
  const folder = temporaryDirectory(afterAll)
  beforeAll(async () => {
    const tarball = await packClient(folder)
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  })

  test('has types of all calls', async () => {
    await writeFile(join(folder, 'typed.ts'), typed)
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node']
    const types = ['--typeRoots', resolve('node_modules/@types')]
    await run(process.execPath, [resolve('node_modules/typescript/bin/tsc6'), ...options, ...types, 'typed.ts'], { cwd: folder }).catch(
      ({ stdout }) => assert.fail(stdout),
    )
  })

  test('brings the command line, which keeps its token in a keychain where there is one', async () => {
    const commandLine = join(folder, 'node_modules/.bin/media-library')
    const env = { PATH: process.env.PATH, HOME: folder, MEDIA_LIBRARY_PASSWORD: anna.password }
    const call = (...args: string[]) => run(commandLine, args, { cwd: folder, env })
    const profile = async () => JSON.parse(await readFile(join(folder, '.config/media-library/default.json'), 'utf8'))
    await call('login', service.baseUrl, '-u', anna.username)
    assert.ok((await profile()).token)
    const keyring = join(folder, 'node_modules/@napi-rs/keyring')
    await mkdir(keyring, { recursive: true })
    await writeFile(join(keyring, 'package.json'), '{ "type": "module", "exports": "./keyring.js" }')
    await writeFile(join(keyring, 'keyring.js'), fileKeyring)
    await call('login', service.baseUrl, '-u', anna.username)
    assert.equal((await profile()).token, undefined)
    assert.match((await call('whoami')).stdout, new RegExp(anna.username))
    await call('logout')
    await assert.rejects(call('whoami'), { code: 7 })
    assert.equal(existsSync(join(folder, 'keychain')), false)
  })

  test('does what its README shows', async () => {
    assert.equal(examples.length, 7)
    const { id } = (await anna.client['create-folder']({ body: { name: 'Harbour' } })).body
    await writeFile(join(folder, 'harbour.jpg'), await quadrantImage().jpeg().toBuffer())
    const { id: file } = await uploadAndImport(anna.client, id, await images['plain.jpg'](), 'replaced.jpg')
    const env = { ...process.env, PASSWORD: anna.password, TOKEN: token, FOLDER: String(id), FILE: String(file) }
    const outputs: string[] = []
    for (const [index, example] of examples.entries()) {
      const file = join(folder, `example-${index}.js`)
      await writeFile(file, example.replaceAll('https://media.example.com', service.baseUrl).replaceAll('anna@example.com', anna.username))
      for (const node of nodes) {
        await rm(join(folder, 'cursor.txt'), { force: true })
        const { stdout } = await run(node, [file], { cwd: folder, env })
        outputs[index] = stdout
      }
    }
    assert.match(outputs[0]!, /name: 'Harbour'/)
    assert.match(outputs[1]!, /bytes\nharbour\.jpg \d+ \d+\n$/)
    assert.equal(outputs[2], 'true\n')
    assert.match(outputs[3]!, /harbour\.jpg\n1 (true|false) available replaced\.jpg\n$/)
    assert.match(outputs[4]!, /\d+ harbour\.jpg\n/)
    assert.match(outputs[5]!, /^media\.created \d+\n/)
    assert.match(outputs[6]!, /status: 400/)
  })

  describe('has examples that', async () => {
    const library = withToken({ url: service.baseUrl }, token)
    const { id: harbour } = await library.post('/folder', { body: { name: 'Harbour' } })
    const running: ChildProcess[] = []
    const stop = async () => {
      for (const child of running.splice(0)) {
        const ended = once(child, 'exit')
        if (child.kill()) await ended
      }
    }
    afterEach(stop)

    /** Starts a program. @returns what it has printed */
    async function start(program: string | undefined, environment: Record<string, string>): Promise<() => string> {
      const file = join(folder, 'program.mjs')
      await writeFile(file, program!.replaceAll('https://media.example.com', service.baseUrl))
      const child = spawn(process.execPath, [file], { cwd: folder, env: { PATH: process.env.PATH, TOKEN: token, ...environment } })
      running.push(child)
      let printed = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          printed += chunk
        })
      return () => printed
    }
    const uploaded = async (content: Uint8Array<ArrayBuffer>, filename: string) => {
      const id = await library.upload(new Blob([content]), { folder: harbour, filename })
      await library.waitUntilAvailable(id)
      return id
    }

    test('show a folder', async () => {
      await uploaded(new Uint8Array(await quadrantImage().jpeg().toBuffer()), 'a "&" b.jpg')
      const port = String(await freePort())
      await start(website, { FOLDER: String(harbour), PORT: port })
      const page = async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))?.text()
      await expect.poll(page, patience).toContain('alt="a &#34;&#38;&#34; b.jpg"')
      const address = /<img src="([^"]+)"/.exec((await page())!)![1]!.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
      assert.match((await fetch(address)).headers.get('content-type')!, /^image\//)
    })

    test('keep new files, each once, also after they were stopped', async () => {
      const files = async () => (await readdir(join(folder, 'backup')).catch(() => [])).filter((name) => name.endsWith('.txt'))
      const first = await uploaded(new Uint8Array([1, 2, 3]), 'first.txt')
      const printed = await start(backup, {})
      await expect.poll(files, patience).toEqual([`${first} first.txt`])
      await expect.poll(() => readdir(join(folder, 'backup')), patience).toContain('cursor')
      assert.deepEqual([...(await readFile(join(folder, 'backup', `${first} first.txt`)))], [1, 2, 3])
      assert.match(printed(), /first\.txt/)
      await stop()
      const second = await uploaded(new Uint8Array([4]), 'second.txt')
      const again = await start(backup, {})
      await expect.poll(files, patience).toContain(`${second} second.txt`)
      assert.ok(!again().includes('first.txt'))
    })

    test('tell when a video is ready, and believe nobody else', async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}/`
      const { secret } = await library.post('/webhook', { body: { url, types: ['stream.available'] } })
      const printed = await start(receiver, { SECRETS: `whsec_b2xk ${secret}`, PORT: String(port) })
      const foreign = async () => (await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined))?.status
      await expect.poll(foreign, patience).toBe(401)
      await pretendEncoded(accounts.library, await uploaded(new Uint8Array(mp4(['vide'])), 'film.mp4'))
      await expect.poll(printed, patience).toBe('film.mp4 is ready\n')
    })
  })
})
