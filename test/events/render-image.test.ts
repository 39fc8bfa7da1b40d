import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { systemClock } from '../../shared/backends/clock/port.ts'
import type { KnownObjects } from '../../shared/backends/objects/port.ts'
import { writeAliasPresets } from '../../shared/library/links/presets.ts'
import { publicKeys } from '../../shared/library/links/public-keys.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { openImageRenderer } from '../support/image-renderer.ts'
import { someLink } from '../support/published-link.ts'

const red = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const path = `/${someLink.alias}/${someLink.linkId}`

async function openRenderer() {
  const renderer = await openImageRenderer()
  return {
    ...renderer,
    /** Stores what is said of the alias. @param later milliseconds after now */
    async says(presets: Record<string, string>, presetsOnly = false, later = 0) {
      if (later > 0) await systemClock.sleep(later)
      const stored = writeAliasPresets({ companyId: toCompanyId(7), presetsOnly, presets })
      await renderer.publicFiles.put(publicKeys.presets(someLink.alias), stored, { contentType: 'application/json' })
    },
    ask: (
      query: string,
      { headers = {}, ...request }: { path?: string; headers?: Record<string, string | undefined> } = {},
      publicFiles?: KnownObjects,
    ) => renderer.answerTo({ path, query, headers, ...request }, publicFiles),
  }
}

describe('render-image', () => {
  test('answers with a picture and how long it may be kept', async () => {
    const { publish, ask } = await openRenderer()
    await publish({ revision: 4 }, { original: red })
    const { status, headers, body } = await ask('width=32&output_format=jpeg')
    assert.equal(status, 200)
    assert.equal((await sharp(body).metadata()).width, 32)
    assert.equal(headers['content-type'], 'image/jpeg')
    assert.equal(headers.etag, `"${someLink.linkId}-4-width=32&output_format=jpeg"`)
    assert.equal(headers['cache-control'], 'public, max-age=20')
    assert.equal(headers['x-amz-meta-cache-tag'], `link-${someLink.linkId},alias-acme`)
    assert.equal(headers['content-disposition'], `inline; filename="${someLink.linkId}.jpg"`)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.match(headers['content-security-policy']!, /script-src 'none'/)
  })

  test('says how a picture came about, also to who has it', async () => {
    const { publish, ask } = await openRenderer()
    for (const [digitalSourceType, label] of [
      ['trainedAlgorithmicMedia', 'generated'],
      ['compositeWithTrainedAlgorithmicMedia', 'modified'],
      ['digitalCapture', undefined],
      [null, undefined],
    ] as const) {
      await publish({ digitalSourceType }, { original: red })
      const { headers } = await ask('width=32')
      const known = await ask('width=32', { headers: { 'if-none-match': headers.etag } })
      assert.deepEqual([headers['link-ai'], known.status, known.headers['link-ai']], [label, 304, label])
    }
  })

  test('says since when a link shows it, and renders nothing for who has it since then', async () => {
    const { publish, ask, rendered, publicFiles } = await openRenderer()
    await publish({ revision: 4 }, { original: red })
    const modified = new Date((await publicFiles.head(publicKeys.manifest(someLink)))!.modified).toUTCString()
    const picture = await ask('width=32')
    assert.deepEqual([picture.status, picture.headers['last-modified']], [200, modified])
    const since = await ask('width=32', { headers: { 'if-modified-since': modified } })
    const { etag, 'cache-control': cacheControl, 'last-modified': again } = since.headers
    assert.deepEqual([since.status, since.body.length, again], [304, 0, modified])
    assert.deepEqual([etag, cacheControl], [picture.headers.etag, picture.headers['cache-control']])
    assert.equal(rendered.length, 1)
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString()
    for (const headers of [{ 'if-modified-since': earlier }, { 'if-none-match': '"other"', 'if-modified-since': modified }])
      assert.equal((await ask('width=32', { headers })).status, 200)
  })

  test('answers by a preset, as it is at this moment', async () => {
    const { publish, ask, says, rendered } = await openRenderer()
    await publish({ revision: 4 }, { original: red })
    await says({ card: 'width=32&output_format=jpeg' })
    const first = await ask('preset=card&accept=avif,webp')
    assert.equal(first.headers.etag, `"${someLink.linkId}-4-width=32&output_format=jpeg"`)
    assert.equal(first.headers['x-amz-meta-cache-tag'], `link-${someLink.linkId},preset-7-card,alias-acme`)
    assert.equal((await sharp(first.body).metadata()).width, 32)
    const dense = await ask('preset=card&dpr=1.5&output_format=png')
    assert.deepEqual([(await sharp(dense.body).metadata()).width, dense.headers['content-type']], [48, 'image/png'])
    const { 'last-modified': since, etag } = first.headers
    assert.equal((await ask('preset=card', { headers: { 'if-none-match': etag } })).status, 304)
    await says({ card: 'width=16' }, false, 2_000)
    const known = { headers: { 'if-modified-since': since } }
    const changed = await ask('preset=card', known)
    assert.deepEqual([changed.status, (await sharp(changed.body).metadata()).width], [200, 16])
    const again = await ask('preset=card', { headers: { 'if-modified-since': changed.headers['last-modified'] } })
    assert.deepEqual([again.status, rendered.length], [304, 3])
    await says({ other: 'width=16' })
    for (const name of ['card', 'toString', '__proto__']) {
      const { status, body } = await ask(`preset=${name}`)
      assert.deepEqual([status, JSON.parse(body.toString()).code], [404, 'preset_not_found'], name)
    }
  })

  test('transforms by presets alone where the alias says so', async () => {
    const { publish, ask, says } = await openRenderer()
    await publish({}, { original: red })
    await says({ card: 'width=32' }, true)
    const free = await ask('width=32')
    assert.deepEqual([free.status, JSON.parse(free.body.toString()).code], [403, 'presets_only'])
    assert.equal((await ask('preset=card')).status, 200)
    const iiif = (rest: string) => ask('', { path: `/iiif/cdn.example${path}/${rest}` })
    const tile = await iiif('full/max/0/default.png')
    assert.deepEqual([tile.status, JSON.parse(tile.body.toString()).code], [403, 'presets_only'])
    assert.equal((await iiif('info.json')).status, 200)
    await says({ card: 'width=32' })
    const shown = await iiif('full/max/0/default.png')
    assert.deepEqual([shown.status, shown.headers['x-amz-meta-cache-tag']], [200, `link-${someLink.linkId},alias-acme`])
    await says({}, true)
    await publish({ kind: 'other', mime: 'application/pdf' }, { copy: Buffer.from('%PDF') })
    assert.equal((await ask('width=32')).status, 200, 'it says nothing of other files')
  })

  test('says of what it answers, errors too, whether it depends on what the client accepts', async () => {
    const { publish, ask, says } = await openRenderer()
    await publish({ revision: 4 }, { original: red })
    await says({ auto: 'width=32&output_format=auto', plain: 'width=32' })
    const vary = async (query: string, headers = {}) => (await ask(query, { headers })).headers.vary
    assert.equal(await vary('preset=auto&accept=webp'), 'Accept')
    const { etag } = (await ask('preset=auto&accept=webp')).headers
    assert.equal(await vary('preset=auto&accept=webp', { 'if-none-match': etag }), 'Accept')
    assert.equal(await vary('preset=auto'), 'Accept')
    assert.equal(await vary('preset=plain&accept=webp'), undefined)
    assert.equal(await vary('preset=plain&output_format=auto&accept=webp'), 'Accept')
    await publish({ kind: 'undecodable' }, {})
    assert.equal(await vary('preset=auto'), 'Accept')
    await says({}, true)
    assert.equal(await vary('width=3&output_format=auto'), 'Accept')
  })

  test.each([
    '/',
    '/acme',
    `${path}/`,
    `${path}.jpg`,
    `/acme/${'0'.repeat(31)}`,
    `/../${someLink.linkId}`,
    `/other/${someLink.linkId}`,
    '/_/links',
  ])('knows no link at %s', async (elsewhere) => {
    const { publish, ask } = await openRenderer()
    await publish({}, { original: red })
    const { status, headers, body } = await ask('width=32', { path: elsewhere })
    assert.deepEqual([status, JSON.parse(body.toString()).code], [404, 'link_not_found'])
    assert.deepEqual([headers['cache-control'], headers['content-type']], ['public, max-age=5', 'application/json'])
  })

  test('says in an error what is wrong, and when to ask again', async () => {
    const { publish, ask } = await openRenderer()
    await publish({ kind: 'undecodable', width: null, height: null })
    const undecodable = await ask('width=32')
    assert.deepEqual([undecodable.status, JSON.parse(undecodable.body.toString()).code], [422, 'undecodable'])
    const wrong = await ask('width=0')
    assert.deepEqual([wrong.status, JSON.parse(wrong.body.toString()).errors.length], [400, 1])
    await publish({ revision: 9, mime: 'image/heic' })
    const early = await ask('width=32')
    assert.deepEqual([early.status, early.headers['retry-after'], early.headers['cache-control']], [503, '2', 'no-store'])
  })

  test('tells nothing of what fails inside, but the log does', async () => {
    const { publish, ask, logged, publicFiles } = await openRenderer()
    await publish({}, { original: red })
    const broken = Object.assign(Object.create(publicFiles), { get: () => Promise.reject(new Error('secret place')) })
    const { status, headers, body } = await ask('width=32', {}, broken)
    assert.deepEqual([status, headers['cache-control']], [500, 'no-store'])
    assert.ok(!body.includes('secret') && logged.some((line) => line.includes('secret place')))
  })

  test('gives a file that is no picture as it is, a large one by its plain link', async () => {
    const { publish, ask } = await openRenderer()
    const pdf = { kind: 'other', mime: 'application/pdf', width: null, height: null, extension: 'pdf' } as const
    await publish(pdf, { copy: Buffer.from('%PDF-1.4') })
    const { status, headers, body } = await ask('width=32')
    assert.deepEqual([status, headers['content-type'], body.toString()], [200, 'application/pdf', '%PDF-1.4'])
    const known = { 'if-none-match': headers.etag!, 'if-modified-since': headers['last-modified']! }
    for (const name of ['if-none-match', 'if-modified-since'] as const) {
      const again = await ask('width=32', { headers: { [name]: known[name] } })
      assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, headers.etag], name)
    }
    await publish({ ...pdf, bytes: 21 * 1024 ** 2 })
    const large = await ask('width=32')
    assert.deepEqual([large.status, large.headers.location, large.body.length], [302, `${someLink.linkId}.pdf`, 0])
  })
})
