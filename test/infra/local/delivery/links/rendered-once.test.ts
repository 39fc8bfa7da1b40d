import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { afterEach, describe, test, vi } from 'vitest'
import { ModuleProcess } from '../../../../../shared/tools/processes/module-process.ts'
import { quadrantImage } from '../../../../support/pictures/index.ts'
import { publishing } from '../../../../support/published-picture.ts'
import { serviceWithAccounts } from '../../../../support/service-with-accounts.ts'
import { until } from '../../../../support/until.ts'

/** Equal requests at a time, to pictures that nobody asked for before. */
const REQUESTS = 100

const AVIF = 'image/avif,image/webp,*/*'
const WEBP = 'image/webp,*/*'
const NEITHER = '*/*'

describe('equal requests to a new picture are one render', async () => {
  const { service } = await serviceWithAccounts()
  const { publish } = await publishing(service)
  const { url } = await publish(await quadrantImage({ width: 1200, height: 900 }).jpeg().toBuffer(), 'photo.jpg')
  afterEach(() => vi.restoreAllMocks())

  /** Counts the pictures that the renderer's processes are asked for from now on. */
  function countRenders(): () => number {
    const asked = vi.spyOn(ModuleProcess.prototype, 'ask')
    return () => asked.mock.calls.filter(([order]) => 'wanted' in order).length
  }

  async function get(address: string, accept: string) {
    const response = await fetch(address, { headers: { accept } })
    const bytes = Buffer.from(await response.arrayBuffer())
    const { headers, status } = response
    return {
      status,
      etag: headers.get('etag'),
      mime: headers.get('content-type'),
      cache: headers.get('x-cache'),
      bytes: hash('sha256', bytes),
    }
  }

  /** Sends the requests at a time, in turn with each `Accept`. There is one render, and one answer, for each format. */
  async function assertOneRenderEach(address: string, byAccept: Readonly<Record<string, string>>): Promise<void> {
    const accepts = Object.keys(byAccept)
    const renders = countRenders()
    const asked = Array.from({ length: REQUESTS }, (_, n) => accepts[n % accepts.length]!)
    const answers = await Promise.all(asked.map((accept) => get(address, accept)))
    for (const [n, { status, mime }] of answers.entries()) assert.deepEqual([status, mime], [200, byAccept[asked[n]!]])
    const different = new Set(answers.map(({ cache: _, ...answer }) => JSON.stringify(answer)))
    const formats = new Set(Object.values(byAccept)).size
    assert.deepEqual([renders(), different.size], [formats, formats])
    for (const accept of accepts) assert.equal((await get(address, accept)).cache, 'hit')
    assert.equal(renders(), formats)
  }

  test('of a width', () => assertOneRenderEach(`${url}?width=300`, { [NEITHER]: 'image/jpeg' }))

  test('of a cut, for each format of auto', () =>
    assertOneRenderEach(`${url}?width=300&height=300&fit=cover&output_format=auto`, {
      [AVIF]: 'image/avif',
      [WEBP]: 'image/webp',
      [NEITHER]: 'image/jpeg',
    }))

  test('of a preset', async () => {
    const client = await service.client()
    assert.equal((await client['create-preset']({ body: { name: 'card', query: 'width=310' } })).status, 200)
    await until(async () => (await fetch(`${url}?preset=card`, { method: 'HEAD' })).status === 200)
    await assertOneRenderEach(`${url}?preset=card&dpr=2`, { [NEITHER]: 'image/jpeg' })
  })

  test('of a tile of IIIF', async () => {
    const image = url.replace(/\/([^/]+)\/([0-9a-f]{32})\.jpg$/, '/iiif/3/$1/$2')
    await assertOneRenderEach(`${image}/512,0,512,512/256,/0/default.webp`, { [NEITHER]: 'image/webp' })
  })
})
