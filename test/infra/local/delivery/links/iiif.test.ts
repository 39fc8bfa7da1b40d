import assert from 'node:assert/strict'
import sharp from 'sharp'
import { afterAll, describe, test } from 'vitest'
import { embeddedLayout } from '../../../../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../../../../shared/backends/objects/embedded.ts'
import { publicKeys } from '../../../../../shared/library/links/public-keys.ts'
import { toLinkId } from '../../../../../shared/vocabulary/ids.ts'
import { imageService } from '../../../../support/image-service.ts'
import { quadrantAt, quadrantColours, quadrantImage, quadrants } from '../../../../support/pictures/index.ts'
import { publishing } from '../../../../support/published-picture.ts'
import { serviceWithAccounts } from '../../../../support/service-with-accounts.ts'
import { until } from '../../../../support/until.ts'

describe('pictures of links by IIIF', async () => {
  const { service } = await serviceWithAccounts()
  const { publish, replace, store } = await publishing(service)
  const client = await service.client()
  const publicFiles = openEmbeddedObjects(embeddedLayout(service.directory!).public)
  afterAll(() => publicFiles.close())

  const published = async (bytes: Buffer | Promise<Buffer>, name: string) => {
    const file = await publish(await bytes, name)
    return { ...file, address: imageService(file.url) }
  }
  const photo = () => published(quadrantImage().png().toBuffer(), 'photo.png')
  const get = (address: string, init?: RequestInit) => fetch(address, { redirect: 'manual', ...init })

  /** Colours of the four quarters of an answer, as numbers of those of the picture; -1 for another. */
  async function quartersOf(response: Response) {
    assert.equal(response.status, 200, response.url)
    const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const quarters = [0.25, 0.75].flatMap((down) =>
      [0.25, 0.75].map((across) => {
        const at = (Math.floor(down * info.height) * info.width + Math.floor(across * info.width)) * info.channels
        return quadrantColours.findIndex((colour) => colour.every((value, channel) => Math.abs(value - data[at + channel]!) < 12))
      }),
    )
    return { size: [info.width, info.height], quarters }
  }

  test('begin with a description, to which the address alone leads', async () => {
    const { address } = await photo()
    for (const alone of [address, `${address}.png`]) {
      const redirect = await get(alone)
      assert.equal(redirect.status, 303)
      assert.equal(new URL(redirect.headers.get('location')!, alone).href, `${address}/info.json`)
      assert.equal(redirect.headers.get('access-control-allow-origin'), '*')
    }
    const response = await get(`${address}.jpg/info.json`)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type')!, /^application\/ld\+json;/)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const { id, width, height, profile } = (await response.json()) as Record<string, unknown>
    assert.deepEqual([id, width, height, profile], [address, quadrants.width, quadrants.height, 'level2'])
    const etag = response.headers.get('etag')!
    assert.equal((await get(`${address}/info.json`, { headers: { 'if-none-match': etag } })).status, 304)
  })

  test('are cut, sized, mirrored, turned and coloured', async () => {
    const { address } = await photo()
    const { width, height } = quadrants
    const [w, h] = [width / 2, height / 2]
    for (const [path, size, quarters] of [
      ['full/max/0/default.png', [width, height], [0, 1, 2, 3]],
      [`${w},0,${w},${h}/max/0/default.png`, [w, h], [1, 1, 1, 1]],
      [`0,${h},9999,9999/max/0/default.png`, [width, h], [2, 3, 2, 3]],
      ['pct:0,0,50,100/!10,1000/0/default.png', [10, 15], [0, 0, 2, 2]],
      ['full/20,30/0/default.webp', [20, 30], [0, 1, 2, 3]],
      ['square/max/0/color.png', [height, height], [0, 1, 2, 3]],
      ['full/max/!0/default.png', [width, height], [1, 0, 3, 2]],
      ['full/max/90/default.png', [height, width], [2, 0, 3, 1]],
      ['full/max/180/default.png', [width, height], [3, 2, 1, 0]],
      ['full/max/270/default.png', [height, width], [1, 3, 0, 2]],
      ['full/max/!90/default.png', [height, width], [3, 1, 2, 0]],
      [`0,0,${width},${h}/${w},/!270/default.png`, [h / 2, w], [0, 0, 1, 1]],
    ] as const) {
      const found = await quartersOf(await get(`${address}/${path}`))
      assert.deepEqual([found.size, found.quarters], [[...size], [...quarters]], path)
    }
    for (const [quality, most] of [
      ['gray', 256],
      ['bitonal', 2],
    ] as const) {
      const response = await get(`${address}/full/max/0/${quality}.png`)
      assert.equal(response.status, 200)
      const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true })
      const colours = new Set<string>()
      for (let at = 0; at < data.length; at += info.channels) {
        const [red, green = red, blue = red] = info.channels < 3 ? [data[at]] : data.subarray(at, at + 3)
        assert.ok(red === green && green === blue, quality)
        colours.add(String(red))
      }
      assert.ok(colours.size > 1 && colours.size <= most, `${quality}: ${colours.size} colours`)
    }
  })

  test('are cut from tiles where they are large: each tile of each level has its size and its part', async () => {
    const large = { width: 4_500, height: 2_900 }
    const { address } = await published(
      quadrantImage().resize(large.width, large.height, { kernel: 'nearest' }).png().toBuffer(),
      'large.png',
    )
    const pyramid = publicKeys.pyramid(toLinkId(address.slice(-32)), { revision: 1 })
    await until(() => publicFiles.head(pyramid))
    const { tiles } = (await (await get(`${address}/info.json`)).json()) as { tiles: [{ width: number; scaleFactors: number[] }] }
    const [{ width: side, scaleFactors }] = tiles
    assert.deepEqual(scaleFactors, [1, 2, 4, 8, 16])
    for (const factor of scaleFactors) {
      for (let top = 0; top < large.height; top += side * factor) {
        for (let left = 0; left < large.width; left += side * factor) {
          const [w, h] = [Math.min(side * factor, large.width - left), Math.min(side * factor, large.height - top)]
          const size = [Math.ceil(w / factor), Math.ceil(h / factor)]
          const tile = `${left},${top},${w},${h}/${size}/0/default.png`
          const found = await quartersOf(await get(`${address}/${tile}`))
          const quarters = [0.25, 0.75].flatMap((down) =>
            [0.25, 0.75].map((across) =>
              quadrantColours.findIndex((colour) => colour === quadrantAt(left + across * w, top + down * h, large)),
            ),
          )
          assert.deepEqual([found.size, found.quarters], [size, quarters], tile)
        }
      }
    }
  })

  test('are kept, and nothing is sent to who has them', async () => {
    const { address } = await photo()
    const path = `${address}/0,0,10,10/5,/0/default.jpg`
    const first = await get(path)
    assert.deepEqual([first.status, first.headers.get('x-cache')], [200, 'miss'])
    assert.match(first.headers.get('link')!, new RegExp(`^<${address}/0,0,10,10/5,5/0/default.jpg>;rel="canonical"`))
    assert.match(first.headers.get('access-control-expose-headers')!, /\bLink\b/)
    const again = await get(path)
    assert.deepEqual([again.status, again.headers.get('x-cache')], [200, 'hit'])
    const etag = first.headers.get('etag')!
    const known = await get(path, { headers: { 'if-none-match': `"other", ${etag}` } })
    assert.deepEqual([known.status, known.headers.get('etag'), known.headers.get('link')], [304, etag, first.headers.get('link')])
    const head = await get(path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, first.headers.get('content-length')])
  })

  test('are refused where the syntax is wrong, and where there is no picture', async () => {
    const { address } = await photo()
    const wrong = [
      ...[
        'full/max/0/default.gif',
        'full/max/0/native.jpg',
        'full/full/0/default.jpg',
        'full/^max/0/default.jpg',
        'full/65,/0/default.jpg',
      ],
      ...['full/max/45/default.jpg', '64,0,1,1/max/0/default.jpg', 'a,b,c,d/max/0/default.jpg', 'full/pct:101/0/default.jpg', 'full/max/0'],
      ...[
        'full/max/0/default.jpg/',
        'info.xml',
        'full//0/default.jpg',
        '%66ull/%00/0/default.jpg',
        'full/max/0/default.jpg%2f',
        'full/max/%ff/a.b',
      ],
      ...[
        '[frob]/max/0/default.jpg',
        'full/<>/0/default.jpg',
        'full/max/0/default.a:b',
        'full/1e1,/0/default.jpg',
        'full/%5emax/0/default.jpg',
      ],
    ]
    for (const path of wrong) assert.equal((await get(`${address}/${path}`)).status, 400, path)
    const { address: vector } = await published(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'vector.svg')
    const { address: text } = await published(Buffer.from('words'), 'words.txt')
    const { address: broken } = await published(
      Buffer.concat([(await quadrantImage().png().toBuffer()).subarray(0, 60), Buffer.alloc(50)]),
      'broken.png',
    )
    for (const path of ['info.json', 'manifest.json', 'full/max/0/default.jpg']) {
      assert.deepEqual([(await get(`${vector}/${path}`)).status, (await get(`${text}/${path}`)).status], [404, 404], path)
      assert.equal((await get(`${broken}/${path}`)).status, 422, path)
      assert.equal((await get(`${address.replace(/[0-9a-f]{32}$/, '0'.repeat(32))}/${path}`)).status, 404)
      assert.equal((await get(`${address.replace(/\/iiif\/3\/[^/]+/, '/iiif/3/iiif')}/${path}`)).status, 404)
    }
  })

  test('have the words of the library in their manifest, as soon as these change', async () => {
    const { id, address } = await photo()
    const read = async () =>
      (await get(`${address}/manifest.json`)).json() as Promise<{ label: object; requiredStatement?: { value: object } }>
    assert.deepEqual((await read()).label, { none: ['photo.png'] })
    await client['replace-metadata']({ params: { id }, body: { title: { en: 'Harbour', da: 'Havn' }, copyright: '© Anna Berg' } })
    const { label, requiredStatement } = await until(async () => {
      const manifest = await read()
      return 'en' in manifest.label ? manifest : undefined
    })
    assert.deepEqual([label, requiredStatement?.value], [{ en: ['Harbour'], da: ['Havn'] }, { none: ['© Anna Berg'] }])
  })

  test('are each of one file, while it is replaced', async () => {
    const plain = (background: string) =>
      sharp({ create: { width: 400, height: 300, channels: 3, background } })
        .png()
        .toBuffer()
    const colours = [await plain('red'), await plain('blue')]
    const file = await published(colours[0]!, '0.png')
    let isOver = false
    const seen = new Map<string, Set<number>>()
    const ask = async (column: number) => {
      for (let row = 0; !isOver; row = (row + 1) % 30) {
        const response = await get(`${file.address}/${column * 10},${row * 10},10,10/max/0/default.png`)
        assert.equal(response.status, 200)
        const { dominant } = await sharp(Buffer.from(await response.arrayBuffer())).stats()
        const [, revision = ''] = /^"[0-9a-f]{32}-(\d+)/.exec(response.headers.get('etag')!) ?? []
        seen.set(revision, (seen.get(revision) ?? new Set()).add(dominant.r > dominant.b ? 0 : 1))
      }
    }
    const asking = [0, 1, 2].map(ask)
    let { id } = file
    for (let turn = 1; turn <= 4; turn++) {
      const next = await store(colours[turn % 2]!, `${turn}.png`)
      await replace({ ...file, id }, next)
      id = next
    }
    isOver = true
    await Promise.all(asking)
    assert.ok(seen.size > 1)
    for (const [revision, shown] of seen) assert.equal(shown.size, 1, `revision ${revision} is of one file`)
  })
})
