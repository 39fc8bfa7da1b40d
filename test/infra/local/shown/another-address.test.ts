import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { freePort } from '../../../support/aws/free-port.ts'
import { images } from '../../../support/pictures/index.ts'
import type { Service } from '../../../support/service.ts'
import { uploadAndImport } from '../../../support/uploading.ts'
import { ServerProcess } from '../server-process.ts'

let directory: string
let server: ServerProcess

/** The same library on another port. */
async function startAt(port: number, environment: Record<string, string> = {}): Promise<Service> {
  server = new ServerProcess(directory, { PORT: String(port), ...environment })
  return server.ready()
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'media-library-'))
})
afterAll(async () => {
  await server.end('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

test('what was signed at one host and port is delivered at others', async () => {
  const before = await startAt(await freePort())
  const client = await before.client()
  const bytes = await images['plain.jpg']()
  const { id } = await uploadAndImport(client, before.demo.folder_id, bytes, 'a b.jpg')
  const found = await client['search-media']({ query: { unique_media_id: Number(id), return_values: ['thumbnail_url'] } })
  const original = await client['get-download-location']({ params: { id: Number(id) } })
  const urls = [found.body.response.media[0]!.thumbnail_url!, original.body.url]
  await server.end('SIGTERM')

  const port = await freePort()
  await startAt(port, { BASE_URL: `http://localhost:${port}` })
  for (const url of urls) {
    assert.ok(url.startsWith(`${before.baseUrl}/-/media/`), url)
    const rest = url.slice(before.baseUrl.length)
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      const response = await fetch(origin + rest)
      assert.equal(response.status, 200, origin)
      assert.match(response.headers.get('content-type') ?? '', /^image\/jpeg/)
      await response.body?.cancel()
    }
    const forged = await fetch(`http://localhost:${port}${rest.replace(/Expires=./, 'Expires=9')}`)
    assert.equal(forged.status, 403)
  }
})
