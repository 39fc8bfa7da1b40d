import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { DemoFile, demoFile } from '../../../infra/local/demo/demo.ts'
import type { Endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { splitRoute } from '../../../shared/http/declaration/route.ts'
import { withMounts } from '../../support/mounting.ts'
import { images } from '../../support/pictures/index.ts'
import { routeSettings, type Service, serviceAt } from '../../support/service.ts'
import { imported, postForm, upload } from '../../support/uploading.ts'
import { NODE, ServerProcess } from './server-process.ts'

const MIB = 1024 ** 2

describe('a full disk', withMounts, () => {
  let directory: string
  let server: ServerProcess
  let service: Service
  let authorization: string
  let client: Awaited<ReturnType<Service['client']>>
  /** The data folder as the server's process sees it. */
  let disk: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'full-disk-'))
    const mounting = 'mount -t tmpfs -o size=96m tmpfs "$DATA_DIR" && exec "$@"'
    server = new ServerProcess(directory, {}, ['unshare', '-rm', 'sh', '-c', mounting, 'sh', ...NODE])
    disk = `/proc/${server.child.pid}/root${directory}`
    const baseUrl = await server.address()
    service = serviceAt(baseUrl, DemoFile.parse(JSON.parse(readFileSync(demoFile(disk), 'utf8'))))
    authorization = await service.signIn()
    client = await service.client(authorization)
  })
  afterAll(async () => {
    await server.end('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  })

  /** Fills the disk until so many bytes are free. */
  function leave(free: number): void {
    rmSync(join(disk, 'filler'), { force: true })
    const { bavail, bsize } = statfsSync(disk)
    const file = openSync(join(disk, 'filler'), 'w')
    const zeros = Buffer.alloc(MIB)
    for (let left = bavail * bsize - free; left > 0; left -= zeros.length) writeSync(file, zeros, 0, Math.min(left, zeros.length))
    closeSync(file)
  }

  const health = async () => (await client['check-health']()).body
  const requests = (method: string, path: string, init: RequestInit = {}) =>
    service.request(path, { method, headers: { authorization, 'content-type': 'application/json' }, ...init })

  async function assertFull(response: Response, what: string): Promise<void> {
    const text = await response.text()
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '60'], `${what}: ${response.status} ${text}`)
    assert.match(text, /disk_full/)
  }

  it('is 503 disk_full for all that writes, while deletions and reads go on', async () => {
    const folder = (await client['create-folder']({ body: { name: 'Full' } })).body.id
    const media = (await imported(client, await upload(client, folder, await images['plain.jpg'](), 'a.jpg'))).id
    const { body: form } = await client['register-upload']({ body: { folder } })
    leave(8 * MIB)
    assert.deepEqual(await health(), {
      status: 'unavailable',
      problems: [{ code: 'disk_full', message: 'The disk of the data folder is full.' }],
    })
    for (const [name, { route, uses, freesSpace }] of Object.entries<Endpoint>(endpoints)) {
      if (!uses.table?.startsWith('write') || freesSpace) continue
      const { method, path } = splitRoute(route(routeSettings))
      await assertFull(await requests(method, path.replaceAll(/\{\w+\}/g, '1')), name)
    }
    await assertFull(await postForm(form, await images['plain.jpg'](), 'b.jpg'), 'posting a file')
    assert.equal((await client['get-media']({ params: { id: media } })).status, 200)
    assert.equal((await client['remove-media']({ params: { id: media, folderId: folder } })).status, 200)
    assert.equal((await client['delete-folder']({ params: { id: folder } })).status, 200)
  })

  it('is 503 disk_full, never 500, where not a byte is left', async () => {
    rmSync(join(disk, 'filler'), { force: true })
    const made = await Promise.all(Array.from({ length: 50 }, (_, n) => client['create-folder']({ body: { name: `Doomed ${n}` } })))
    leave(0)
    const statuses = new Set<number>()
    for (const { body } of made) {
      const response = await requests('DELETE', `/folder/${body.id}`)
      statuses.add(response.status)
      if (response.status !== 200) await assertFull(response, 'delete-folder')
    }
    assert.ok(statuses.has(503), 'the disk was not full')
    assert.equal((await client.whoami()).status, 200)
    const found = await client['search-media']({ query: { q: 'jpg', return_values: ['filename'] } })
    assert.ok(found.status === 200 || found.status === 503, `a search: ${found.status} ${JSON.stringify(found.body)}`)
    assert.equal((await health()).status, 'unavailable')
  })

  it('refuses a file that is larger than what is left before it comes in, and one that turns out to be when it is', async () => {
    leave(40 * MIB)
    assert.equal((await health()).status, 'ok')
    const file = randomBytes(48 * MIB)
    const form = async () => (await client['register-upload']({ body: { folder: service.demo.folder_id } })).body
    await assertFull(await postForm(await form(), file, 'large.bin'), 'a file of a known size')
    const { action, fields } = await form()
    const data = new FormData()
    for (const { name, value } of fields) if (value !== undefined) data.append(name, value)
    data.append('file', new Blob([file]), 'large.bin')
    const { headers, body } = new Response(data)
    const init = { method: 'POST', headers: { 'content-type': headers.get('content-type')! }, body: body!, duplex: 'half' } as const
    await assertFull(await fetch(action, { ...init, redirect: 'manual' }), 'a file of an unknown size')
    assert.equal((await health()).status, 'ok')
  })
})
