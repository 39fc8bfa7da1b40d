import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withToken } from '../../../infra/client/client.ts'
import { packClient } from '../../../infra/client/pack.ts'
import { freePort } from '../../support/aws/free-port.ts'
import { pretendEncoded } from '../../support/encoded.ts'
import { mp4 } from '../../support/pictures/index.ts'
import { quadrantImage } from '../../support/pictures/quadrants.ts'
import { serviceWithAccounts } from '../../support/service-with-accounts.ts'

const [website, backup, receiver] = [...(await readFile('infra/client/EXAMPLES.md', 'utf8')).matchAll(/```js\n(.*?)```/gs)].map(
  ([, program]) => program!,
)
const patience = { timeout: 300_000, interval: 100 }

describe('the examples of the client package', async () => {
  const { service, person, accounts } = await serviceWithAccounts({ WEBHOOK_HTTP: '1', WEBHOOK_ALLOW: '127.0.0.0/8' })
  const anna = await person({ companyId: await accounts.company('Company'), admin: true })
  const token = anna.authorization.replace(/^.*Token=/, '')
  const library = withToken({ url: service.baseUrl }, token)
  const { id: folder } = await library.post('/folder', { body: { name: 'Harbour' } })
  const place = await mkdtemp(join(tmpdir(), 'examples-'))
  const running: ChildProcess[] = []
  beforeAll(async () => {
    const tarball = await packClient(place)
    await promisify(execFile)('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: place })
  })
  const stop = async () => {
    for (const child of running.splice(0)) {
      const ended = once(child, 'exit')
      if (child.kill()) await ended
    }
  }
  afterEach(stop)
  afterAll(() => rm(place, { recursive: true, force: true }))

  /** Starts a program. @returns what it has printed */
  async function start(program: string | undefined, environment: Record<string, string>): Promise<() => string> {
    const file = join(place, 'program.mjs')
    await writeFile(file, program!.replaceAll('https://media.example.com', service.baseUrl))
    const child = spawn(process.execPath, [file], { cwd: place, env: { PATH: process.env.PATH, TOKEN: token, ...environment } })
    running.push(child)
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        printed += chunk
      })
    return () => printed
  }
  const uploaded = async (content: Uint8Array<ArrayBuffer>, filename: string) => {
    const id = await library.upload(new Blob([content]), { folder, filename })
    await library.waitUntilAvailable(id)
    return id
  }

  test('show a folder', async () => {
    await uploaded(new Uint8Array(await quadrantImage().jpeg().toBuffer()), 'a "&" b.jpg')
    const port = String(await freePort())
    await start(website, { FOLDER: String(folder), PORT: port })
    const page = async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))?.text()
    await expect.poll(page, patience).toContain('alt="a &#34;&#38;&#34; b.jpg"')
    const address = /<img src="([^"]+)"/.exec((await page())!)![1]!.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    assert.match((await fetch(address)).headers.get('content-type')!, /^image\//)
  })

  test('keep new files, each once, also after they were stopped', async () => {
    const files = async () => (await readdir(join(place, 'backup')).catch(() => [])).filter((name) => name.endsWith('.txt'))
    const first = await uploaded(new Uint8Array([1, 2, 3]), 'first.txt')
    const printed = await start(backup, {})
    await expect.poll(files, patience).toEqual([`${first} first.txt`])
    await expect.poll(() => readdir(join(place, 'backup')), patience).toContain('cursor')
    assert.deepEqual([...(await readFile(join(place, 'backup', `${first} first.txt`)))], [1, 2, 3])
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
