import assert from 'node:assert/strict'
import { afterAll, describe, test } from 'vitest'
import { watchLargestProcess } from '../bench/processes.ts'
import {
  ambiguousPngs,
  brokenJpegs,
  declarations,
  heic,
  hostile,
  oddJpegs,
  oddPngs,
  oddTiffs,
  overlappingTiff,
  psdOfHugeRows,
  quadrantImage,
  withExtents,
} from '../support/pictures/index.ts'
import { publishing } from '../support/published-picture.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'

/** Malicious, broken and odd pictures. */
const pictures: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  ...hostile,
  ...declarations,
  ...brokenJpegs,
  ...oddJpegs,
  ...oddPngs,
  ...ambiguousPngs,
  ...oddTiffs,
  'overlapping.tif': overlappingTiff,
  'huge-rows.psb': () => psdOfHugeRows(),
  'huge.heic': () => withExtents(heic(), 60_000),
}

/** What clients ask of a picture: each newer parameter, and all at once. */
const queries = [
  'width=40',
  'crop=0.1,0.1,0.5,0.5',
  'crop=0,0,0.0001,0.0001&width=40',
  'aspect=100:1&width=40',
  'fit=cover&width=40&height=30&focus=0.9,0.1',
  'fit=cover&width=40&height=30&focus=auto',
  'fit=pad&width=4096&height=30&background=ff0000',
  'width=40&dpr=3',
  'hdr=1&width=40',
  'width=40&output_format=auto',
  'crop=0.5,0.5,0.5,0.5&aspect=1:1&focus=auto&width=40&dpr=2&grayscale=1&output_format=jpeg&background=00ff00',
]

const tiles = [
  'info.json',
  'manifest.json',
  'square/40,/90/gray.png',
  '0,0,16,16/max/!180/bitonal.webp',
  'pct:50,50,50,50/!40,40/0/default.jpg',
]

/** Of files that are no pictures, and of places and sizes that a small one doesn't have. */
const NO_TILE = [400, 404]

/** A picture, one that can't be decoded, and one that takes too long or has to wait. */
const ALLOWED = [200, 422, 503]

/** Most bytes that a process may take: twice what a decoder may hold, and what the process itself needs. */
const MAX_BYTES = 1.5 * 1024 ** 3

describe('links of hostile pictures', async () => {
  const { service } = await serviceWithAccounts()
  const { publish } = await publishing(service)
  const largest = watchLargestProcess(process.pid)
  const good = await publish(await quadrantImage({ width: 640, height: 480 }).jpeg().toBuffer(), 'good.jpg')
  afterAll(() => largest())

  for (const [name, make] of Object.entries(pictures)) {
    test(`${name}: every parameter is answered within limits`, async () => {
      const { url } = await publish(await make(), name)
      const statuses = await Promise.all(
        queries.map(async (query) => {
          const response = await fetch(`${url}?${query}`, { headers: { accept: 'image/avif,image/webp' } })
          await response.arrayBuffer()
          return [query, response.status] as const
        }),
      )
      const image = url.replace(/\/([^/]+)\/([0-9a-f]{32})\.?\w*$/, '/iiif/3/$1/$2')
      for (const path of tiles) {
        const response = await fetch(`${image}/${path}`)
        await response.arrayBuffer()
        assert.ok([...ALLOWED, ...NO_TILE].includes(response.status), `${name}: ${path}: ${response.status}`)
      }
      for (const [query, status] of statuses) assert.ok(ALLOWED.includes(status), `${name}?${query}: ${status}`)
    })
  }

  test('the service goes on, and no process took more memory than it may', async () => {
    const response = await fetch(`${good.url}?width=40&crop=0,0,0.5,0.5`)
    assert.equal(response.status, 200)
    assert.deepEqual(
      service.log.filter((line) => line.includes('unexpected error')),
      [],
    )
    const bytes = largest()
    assert.ok(bytes < MAX_BYTES, `${bytes} bytes`)
  })
})
