import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { publishing } from '../support/published-picture.ts'
import { emulatorLimit } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'

const SIDE = 1_200
const TILE = 200

const ofColour = (background: string) =>
  sharp({ create: { width: SIDE, height: SIDE, channels: 3, background } })
    .jpeg()
    .toBuffer()

describe('pictures that change while clients look', emulatorLimit('has no edges'), async () => {
  const { service } = await serviceWithAccounts()
  const { publish, replace, store } = await publishing(service)

  test('tiles of a replaced picture are of the old one or of the new one, and of the new one once it is there', async () => {
    const published = await publish(await ofColour('red'), 'red.jpg')
    const blue = await store(await ofColour('blue'), 'blue.jpg')
    const image = published.url.replace(/\/([^/]+)\/([0-9a-f]{32})\.jpg$/, '/iiif/3/$1/$2')
    let at = 0
    /** A tile that nobody asked for before. */
    const tile = async (): Promise<string> => {
      const place = at++
      const response = await fetch(`${image}/${place % 1_000},${Math.floor(place / 1_000)},${TILE},${TILE}/max/0/default.png`)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.status === 503) return 'busy'
      assert.equal(response.status, 200, bytes.toString())
      const { channels } = await sharp(bytes).stats()
      assert.ok(
        channels.every(({ min, max }) => max - min < 8),
        'a tile of both pictures',
      )
      const [red = 0, , blue = 0] = channels.map(({ mean }) => mean)
      return red > 200 ? 'old' : blue > 200 ? 'new' : `${red} ${blue}`
    }
    const seen = new Set([await tile()])
    assert.deepEqual([...seen], ['old'])
    let isReplaced = false
    const looking = Array.from({ length: 2 }, async () => {
      while (!isReplaced) seen.add(await tile())
    })
    await replace(published, blue).finally(() => {
      isReplaced = true
    })
    await Promise.all(looking)
    for (const each of seen) assert.ok(['old', 'new', 'busy'].includes(each), each)
    for (let n = 0; n < 10; n++) assert.equal(await tile(), 'new')
  }, 180_000)

  test('a preset that is deleted while clients use it is shown, or not there, and not there once it is gone', async () => {
    const client = await service.client()
    const { url } = await publish(await ofColour('green'), 'green.jpg')
    const { body: preset } = await client['create-preset']({ body: { name: 'passing', query: 'width=60&height=60&fit=cover' } })
    const statusNow = async (dpr: string) => {
      const response = await fetch(`${url}?preset=passing&dpr=${dpr}`)
      const answer = Buffer.from(await response.arrayBuffer())
      if (response.status === 404) assert.equal(JSON.parse(answer.toString()).code, 'preset_not_found')
      return response.status
    }
    await until(async () => (await statusNow('1')) === 200)
    const seen = new Set<number>()
    let isGone = false
    const looking = ['1.5', '2', '3'].map(async (dpr) => {
      while (!isGone) seen.add(await statusNow(dpr))
    })
    try {
      assert.equal((await client['delete-preset']({ params: { id: preset.id } })).status, 200)
      await until(async () => (await statusNow('1')) === 404)
    } finally {
      isGone = true
    }
    await Promise.all(looking)
    for (const status of seen) assert.ok([200, 404].includes(status), `${status}`)
    for (const dpr of ['1', '1.5', '2', '3']) assert.equal(await statusNow(dpr), 404)
  })
})
