import assert from 'node:assert/strict'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import type { KnownObjects } from '../../shared/backends/objects/port.ts'
import { writeAliasPresets } from '../../shared/library/links/presets.ts'
import { publicKeys } from '../../shared/library/links/public-keys.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { openImageRenderer } from '../support/image-renderer.ts'
import { someLink } from '../support/published-link.ts'

const size = { width: 64, height: 48 }
const colour = (background: string) =>
  sharp({ create: { ...size, channels: 3, background } })
    .png()
    .toBuffer()
const red = await colour('red')
const blue = await colour('blue')
const { alias, linkId } = someLink
const id = `https://links.example/iiif/3/${alias}/${linkId}`

async function openRenderer() {
  const renderer = await openImageRenderer()
  const ask = (rest: string, { headers = {}, of = alias, files }: Asked = {}) =>
    renderer.answerTo({ path: `/iiif/links.example/${of}/${linkId}/${rest}`, query: '', headers }, files)
  return { ...renderer, ask }
}

interface Asked {
  headers?: Record<string, string | undefined>
  of?: string
  files?: KnownObjects
}

const codeOf = ({ body }: { body: Buffer }) => (JSON.parse(body.toString()) as { code: string }).code

describe('render-image for IIIF', () => {
  test('answers with a picture, what it is, and how long it may be kept', async () => {
    const { publish, ask } = await openRenderer()
    await publish({ revision: 4 }, { original: red })
    const { status, headers, body } = await ask('0,0,64,48/32,/0/color.jpg')
    assert.equal(status, 200)
    const { format, width, height } = await sharp(body).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 32, 24])
    assert.equal(headers['content-type'], 'image/jpeg')
    assert.equal(headers.link, `<${id}/full/32,24/0/default.jpg>;rel="canonical", <http://iiif.io/api/image/3/level2.json>;rel="profile"`)
    assert.equal(headers['link-ai'], undefined)
    assert.equal(headers['cache-control'], 'public, max-age=20')
    assert.equal(headers['x-amz-meta-cache-tag'], `link-${linkId},alias-${alias}`)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['content-disposition'], `inline; filename="${linkId}.jpg"`)
  })

  test('renders nothing for who has the picture', async () => {
    const { publish, ask, rendered } = await openRenderer()
    await publish({ copyright: 'Anna' }, { original: red })
    const { headers } = await ask('0,0,10,10/max/0/default.png')
    const again = await ask('0,0,10,10/max/0/default.png', { headers: { 'if-none-match': headers.etag } })
    assert.deepEqual([again.status, again.body.length, again.headers.etag, again.headers.link], [304, 0, headers.etag, headers.link])
    assert.equal(rendered.length, 1)
    await publish({ copyright: 'Bea' }, { original: red })
    assert.equal((await ask('0,0,10,10/max/0/default.png', { headers: { 'if-none-match': headers.etag } })).status, 200)
  })

  test('says how a picture came about', async () => {
    const { publish, ask } = await openRenderer()
    await publish({ digitalSourceType: 'trainedAlgorithmicMedia' }, { original: red })
    assert.equal((await ask('full/max/0/default.jpg')).headers['link-ai'], 'generated')
  })

  test('describes a picture in documents, which clients revalidate', async () => {
    const { publish, ask, rendered } = await openRenderer()
    await publish({ title: { en: 'Harbour' } }, { original: red })
    for (const [name, api] of [
      ['info.json', 'image'],
      ['manifest.json', 'presentation'],
    ] as const) {
      const { status, headers, body } = await ask(name)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], `application/ld+json;profile="http://iiif.io/api/${api}/3/context.json"`)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['x-amz-meta-cache-tag'], `link-${linkId}`)
      const { id: told } = JSON.parse(body.toString()) as { id: string }
      assert.equal(told, name === 'info.json' ? id : `${id}/manifest.json`)
      const again = await ask(name, { headers: { 'if-none-match': headers.etag } })
      assert.deepEqual([again.status, again.body.length], [304, 0])
    }
    assert.equal(rendered.length, 0)
  })

  test('refuses vectors, other files and broken pictures', async () => {
    const { publish, ask } = await openRenderer()
    for (const rest of ['info.json', 'manifest.json', 'full/max/0/default.jpg']) {
      await publish({ kind: 'other', mime: 'image/svg+xml' }, { original: red })
      const vector = await ask(rest)
      assert.deepEqual([vector.status, codeOf(vector)], [404, 'picture_not_found'], rest)
      await publish({ kind: 'undecodable', width: null, height: null })
      const broken = await ask(rest)
      assert.deepEqual([broken.status, codeOf(broken)], [422, 'undecodable'], rest)
    }
    await publish({ revision: 77 }, { original: Buffer.from('no picture') })
    assert.equal((await ask('full/max/0/default.jpg')).status, 422)
  })

  test('knows no link of another alias, and none of the alias iiif', async () => {
    const { publish, ask, publicFiles } = await openRenderer()
    await publish({}, { original: red })
    for (const key of [publicKeys.manifest(someLink)])
      await publicFiles.copy({ key }, publicKeys.manifest({ alias: 'iiif', linkId }), { contentType: 'application/json' })
    for (const of of ['other', 'iiif', '..', '_', 'A']) {
      for (const rest of ['info.json', 'full/max/0/default.jpg']) assert.equal((await ask(rest, { of })).status, 404, of)
    }
  })

  test('shows no picture, but what describes it, where an alias shows pictures by presets alone', async () => {
    const { publish, ask, rendered, publicFiles } = await openRenderer()
    await publish({}, { original: red })
    const rules = writeAliasPresets({ companyId: toCompanyId(1), presetsOnly: true, presets: { card: 'width=20' } })
    await publicFiles.put(publicKeys.presets(alias), rules, { contentType: 'application/json' })
    const refused = await ask('full/max/0/default.jpg')
    assert.deepEqual([refused.status, codeOf(refused), rendered.length], [403, 'presets_only', 0])
    for (const name of ['info.json', 'manifest.json']) assert.equal((await ask(name)).status, 200)
    await publish({ kind: 'other' })
    assert.equal((await ask('full/max/0/default.jpg')).status, 404, 'a file that is no picture')
  })

  test('answers by one file, however often it is replaced meanwhile', async () => {
    const { publish, ask, publicFiles } = await openRenderer()
    // Sources of other tests are kept in the same process.
    let revision = 1_000
    const replace = async () => {
      revision += 1
      await publish({ revision }, { original: revision % 2 === 1 ? red : blue })
      await publicFiles.delete([publicKeys.original(linkId, { revision: revision - 1 })])
    }
    await replace()
    let left = 0
    const replacing: KnownObjects = {
      head: (key) => publicFiles.head(key),
      get: (key, range) => publicFiles.get(key, range),
      async fetch(key, path) {
        if (left > 0) await replace()
        left -= 1
        return publicFiles.fetch(key, path)
      },
    }
    for (let tile = 0; tile < 40; tile++) {
      left = tile % 4
      const { status, headers, body } = await ask(`${tile},0,8,8/max/0/default.png`, { files: replacing })
      assert.equal(status, 200)
      const [, told] = /^"[0-9a-f]{32}-(\d+)-/.exec(headers.etag!) ?? []
      const { dominant } = await sharp(body).stats()
      assert.equal(dominant.r > dominant.b ? 1 : 0, Number(told) % 2, headers.etag)
    }
  })

  describe('wrong syntax', async () => {
    const parts = (region: string, size: string, rotation: string, file: string) => `${region}/${size}/${rotation}/${file}`
    const wrongRegions = [
      '',
      'x',
      '0,0,0,0',
      '64,0,1,1',
      '0,48,1,1',
      '-1,0,1,1',
      '1,1,1',
      'pct:',
      'pct:101,0,1,1',
      'pct:a,b,c,d',
      'SQUARE',
      '0;0;1;1',
    ]
    const wrongSizes = [
      '',
      'full',
      '65,',
      ',49',
      '^max',
      '^32,',
      '0,',
      'pct:0',
      'pct:101',
      '!65,49',
      '!,',
      'w,h',
      '1.5,',
      '1e1,',
      '32',
      'max,',
      '-3,',
    ]
    const wrongRotations = ['', '1', '45', '360', '!', '!!90', '90.0', '-90', 'none']
    const wrongFiles = [
      '',
      'default',
      '.jpg',
      'default.',
      'default.gif',
      'native.jpg',
      'default.jpg.jpg',
      'Default.jpg',
      'default.JPG',
      'color.pdf',
      'info.json',
    ]
    const table = [
      ...wrongRegions.flatMap((region) => ['max', '32,'].map((size) => parts(region, size, '0', 'default.jpg'))),
      ...wrongSizes.flatMap((size) =>
        ['full', '0,0,64,48', 'square', 'pct:0,0,100,100'].map((region) => parts(region, size, '!90', 'gray.png')),
      ),
      ...wrongRotations.flatMap((rotation) => ['full', 'pct:0,0,50,50'].map((region) => parts(region, 'max', rotation, 'default.webp'))),
      ...wrongFiles.flatMap((file) => ['0', '180'].map((rotation) => parts('full', 'max', rotation, file))),
      ...wrongRegions.slice(1).flatMap((region) => wrongSizes.slice(1, 10).map((size) => parts(region, size, 'a', 'b.c'))),
      ...[
        'info.xml',
        'info.json/',
        'info',
        'manifest',
        'full',
        'full/max',
        'full/max/0',
        'full/max/0/default.jpg/0',
        '//',
        '%00',
        'a\\b',
        '日本',
        '..',
        '../info.json',
      ],
    ]

    test(`in ${table.length} addresses is 400 or 404, and renders nothing`, async () => {
      assert.ok(table.length > 200)
      const { publish, ask, rendered, logged } = await openRenderer()
      await publish({}, { original: red })
      for (const rest of table) {
        const { status } = await ask(rest)
        assert.ok(status === 400 || status === 404, `${rest}: ${status}`)
      }
      assert.deepEqual([rendered.length, logged], [0, []])
    })

    test('of any kind is never a 5xx', async () => {
      const { publish, ask, logged } = await openRenderer()
      await publish({}, { original: red })
      const piece = fc.oneof(
        fc.constantFrom(
          'full',
          'square',
          'max',
          '0',
          '!90',
          'default',
          'jpg',
          '.',
          ',',
          '/',
          ':',
          'pct:',
          '^',
          '!',
          '%',
          '-',
          '1e9',
          '999999999',
          '٣',
        ),
        fc.integer({ min: -2, max: 100 }).map(String),
        fc.string({ maxLength: 6 }),
      )
      const addresses = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''))
      await fc.assert(
        fc.asyncProperty(addresses, async (rest) => {
          const { status } = await ask(rest)
          assert.ok([200, 400, 404].includes(status), `${rest}: ${status}`)
        }),
        { numRuns: 500, seed: 1 },
      )
      assert.deepEqual(logged, [])
    })
  })
})
