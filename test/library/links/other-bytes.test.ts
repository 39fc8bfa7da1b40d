import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import { extensionOf } from '../../../shared/library/links/find-links.ts'
import { invalidateEdges } from '../../../shared/library/links/invalidate-edges.ts'
import { readManifest } from '../../../shared/library/links/manifest.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { getMedia } from '../../../shared/library/media/find.ts'
import { formerFileKey } from '../../../shared/library/media/keys.ts'
import { type LinkRecord, linkKey, stateChanged, stateOf } from '../../../shared/library/media/link.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { instead } from '../../support/instead.ts'
import { setUp, type World } from './set-up.ts'

/** A picture with a published link, whose bytes others are to replace. */
async function published(facts: object = {}) {
  const world = await setUp()
  const mediaId = await world.file(facts)
  const created = await world.create(mediaId)
  await world.publish(created)
  const stateNow = async () => stateOf(await world.link(created.linkId), (await getMedia(world.library, mediaId))!)
  /** The jobs that edges need. */
  const tellEdges = () =>
    invalidateEdges({ ...world.making, ...world.publishing, clock: world.clock.hasty, edgeCache: embeddedEdgeCache() }, () => false)
  return { ...world, mediaId, created, stateNow, tellEdges }
}

/** The public bucket holds these bytes, under this number, and the record says so. */
async function assertShown({ stored, link }: World, { linkId, alias, revision }: LinkRecord, text: string, file: number, what?: string) {
  const objects = await stored()
  assert.equal(objects[publicKeys.copy({ linkId, alias })], text, what)
  assert.equal(objects[publicKeys.original(linkId, { revision, file })], text, what)
  const manifest = readManifest(Buffer.from(objects[publicKeys.manifest({ linkId, alias })]!))
  assert.deepEqual([manifest.revision, manifest.file], [revision, file], what)
  assert.equal((await link(linkId)).file, file, what)
}

describe('a link whose file gets other bytes', () => {
  test('shows the old ones, and says so, until the new ones are published and edges know', async () => {
    const world = await published()
    const { created, mediaId, exchange, publish, stored, stateNow, tellEdges, link, masters } = world
    const before = await stored()
    world.clock.advance(60)
    const media = await exchange(mediaId, 'new bytes', { mime: 'image/png', extension: 'png', filename: 'new.png' })
    assert.deepEqual([await stored(), await stateNow()], [before, 'replacing'])
    assert.equal(stateChanged(await link(created.linkId), media), media.fileCreated)
    await publish(created)
    await assertShown(world, created, 'new bytes', 2)
    assert.equal(await stateNow(), 'replacing')
    assert.ok((await stored())[publicKeys.original(created.linkId, { revision: 1 })], 'renderers of before may still read')
    assert.deepEqual((await masters()).map(({ file }) => file).sort(), [1, 2])
    const { contentType, disposition } = (await world.publicFiles.head(publicKeys.copy(created)))!
    assert.deepEqual([contentType, disposition?.includes('new.png'), (await link(created.linkId)).extension], ['image/png', true, 'jpg'])
    await tellEdges()
    assert.equal(await stateNow(), 'active')
    assert.equal((await stored())[publicKeys.original(created.linkId, { revision: 1 })], undefined)
  })

  test('shows the former ones again once a file goes back, with sources of their own', async () => {
    const world = await published()
    const { created, mediaId, exchange, back, publish, stored, stateNow, tellEdges } = world
    await exchange(mediaId, 'second')
    await publish(created)
    await back(mediaId, 1)
    assert.equal(await stateNow(), 'replacing')
    await publish(created)
    await assertShown(world, created, `file ${mediaId}`, 3)
    await tellEdges()
    const sources = Object.keys(await stored()).filter((key) => key.startsWith(publicKeys.sources(created.linkId)))
    assert.deepEqual([await stateNow(), sources], ['active', [publicKeys.original(created.linkId, { revision: 1, file: 3 })]])
  })

  test('shows the last of several, and what it shows after an edit in between', async () => {
    const world = await published()
    const { created, mediaId, exchange, publish, change, file, link } = world
    await exchange(mediaId, 'second')
    await exchange(mediaId, 'third')
    await publish(created)
    await assertShown(world, created, 'third', 3)
    const other = await file()
    await change(created, other)
    await exchange(other, 'of the other')
    await publish(created)
    await assertShown(world, await link(created.linkId), 'of the other', 2)
  })

  test.each(['before', 'after'] as const)('shows the new ones in the end although a run crashes %s any call', async (when) => {
    for (let failing = 1, wasReached = true; wasReached; failing += 1) {
      const world = await published()
      const { created, mediaId, exchange, back, publish, publishing, tellEdges, stateNow } = world
      const crashing = async () => {
        const faults = new Faults(failing, when)
        const ports = { table: faults.in(publishing.table), publicFiles: faults.in(publishing.publicFiles) }
        await unlessEnded(publish(created, { ...publishing, ...ports }))
        wasReached = faults.hasFailed
        // A job that comes twice changes nothing.
        for (let run = 1; run <= 2; run += 1) await publish(created)
      }
      await exchange(mediaId, 'second')
      await crashing()
      await assertShown(world, created, 'second', 2, `${when} call ${failing}`)
      await back(mediaId, 1)
      await crashing()
      await assertShown(world, created, `file ${mediaId}`, 3, `${when} call ${failing}`)
      await tellEdges()
      assert.equal(await stateNow(), 'active', `${when} call ${failing}`)
    }
  })

  test.each([false, true])(
    'shows the last in the end although a run that lost its lease goes on, with its bytes gone: %s',
    async (isGone) => {
      const world = await published()
      const { created, mediaId, exchange, publish, publishing, publicFiles, media } = world
      const second = await exchange(mediaId, 'second')
      let isFirst = true
      const copy: Objects['copy'] = async (...input) => {
        if (isFirst) {
          isFirst = false
          await exchange(mediaId, 'third')
          await publish(created)
          if (isGone) await media.delete([objectKeys.original(second)])
        }
        return publicFiles.copy(...input)
      }
      await publish(created, { ...publishing, publicFiles: instead(publicFiles, { copy }) })
      await assertShown(world, created, 'third', 3)
    },
  )

  test('by an earlier release shows the first', async () => {
    const { created, link, table, stateNow, mediaId, exchange } = await published()
    await table.update(linkKey(created.linkId), { remove: ['file'] })
    assert.equal(await stateNow(), 'active')
    assert.deepEqual(stateOf(await link(created.linkId), await exchange(mediaId, 'second')), 'replacing')
  })
})

describe('a link that was not published when its file got other bytes', () => {
  test('tells edges where a run before may have made the former ones public', async () => {
    const world = await setUp()
    const { file, create, exchange, publish, publishing, publicFiles, asksEdges, link } = world
    const mediaId = await file()
    const created = await create(mediaId)
    const faults = new Faults(2, 'after')
    await unlessEnded(publish(created, { ...publishing, publicFiles: faults.in(publicFiles) }))
    await exchange(mediaId, 'second')
    await publish(created)
    assert.deepEqual([await asksEdges(), (await link(created.linkId)).stale], [true, 1])
    const later = await create(mediaId)
    await publish(later)
    assert.equal((await link(later.linkId)).stale, undefined, 'it was made of the second')
  })

  test('keeps the extension of its first file', async () => {
    const { file, create, exchange, publish, link, library, table } = await setUp()
    const mediaId = await file()
    const created = await create(mediaId)
    const media = await exchange(mediaId, 'second', { mime: 'image/png', extension: 'png' })
    assert.equal(await extensionOf(library, created, media), 'jpg')
    await publish(created)
    assert.equal((await link(created.linkId)).extension, 'jpg')
    await table.delete(formerFileKey(mediaId, 1))
    assert.equal(await extensionOf(library, created, media), 'png', 'the first is gone, and nobody was told its address')
  })
})

describe('masters', () => {
  test('of the former bytes are made as long as links show them, and go with them', async () => {
    const { created, mediaId, exchange, publish, master, stored, tellEdges } = await published()
    await exchange(mediaId, 'second')
    const { linkId } = created
    await master({ linkId, revision: 1 })
    assert.ok((await stored())[publicKeys.master(linkId, { revision: 1 })])
    await publish(created)
    await master({ linkId, revision: 1, file: 2 })
    await tellEdges()
    const masters = Object.keys(await stored()).filter((key) => key.endsWith('/master'))
    assert.deepEqual(masters, [publicKeys.master(linkId, { revision: 1, file: 2 })])
  })

  test('that end after the exchange do not stay', async () => {
    const { created, mediaId, exchange, publish, master, making, stored, tellEdges } = await published()
    const { linkId } = created
    const meanwhile = async (...input: Parameters<typeof making.masterMaker>) => {
      const made = await making.masterMaker(...input)
      await exchange(mediaId, 'second')
      await publish(created)
      await tellEdges()
      return made
    }
    await master({ linkId, revision: 1 }, { ...making, masterMaker: meanwhile })
    const former = Object.keys(await stored()).filter((key) => key.startsWith(publicKeys.sourcesOf(linkId, { revision: 1 })))
    assert.deepEqual(former, [])
  })
})
