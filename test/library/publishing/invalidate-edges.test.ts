import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import { EdgeCacheBusy, EdgeCacheUnavailable, type Forgotten, MAX_PREFIXES, MAX_TAGS } from '../../../shared/backends/edge-cache/port.ts'
import { linkKey, stateOf } from '../../../shared/library/links/link.ts'
import { forgetLink, invalidationKey } from '../../../shared/library/publishing/invalidation.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { assertTold, linkIdOf, setUpEdges } from './edges-set-up.ts'

describe('edges', () => {
  test('they are asked at once, and again when nothing rendered before can be on its way', async () => {
    const world = await setUpEdges()
    const began = world.clock.now()
    const linkId = await world.published(1)
    await world.run()
    assert.equal(stateOf((await world.link(linkId))!), 'replacing')
    assert.equal((await world.sources(linkId)).length, 2, 'renderers of before may still read')
    await world.finish()
    const { taken } = world.edges
    assert.deepEqual(
      taken.map(({ tags, begun }) => ({ tags, after: begun - began })),
      [
        { tags: [`link-${linkId}`], after: 0 },
        { tags: [`link-${linkId}`], after: 60_000 },
      ],
    )
    await assertTold(world, [1])
  })

  test('a link that has ended is gone when edges have forgotten it', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1, { ended: true })
    await world.run()
    assert.notEqual(await world.link(linkId), undefined)
    await world.finish()
    assert.equal(world.edges.taken.length, 2)
    await assertTold(world, [1], { ended: true })
  })

  test('a request that begins so late that nothing old is on its way is the only one', async () => {
    const world = await setUpEdges()
    await world.published(1)
    world.clock.advance(60)
    await world.finish()
    assert.equal(world.edges.taken.length, 1)
    await assertTold(world, [1])
  })

  test('on one machine one run does it all', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1)
    const ended = await world.published(2, { ended: true })
    await world.run({ edgeCache: embeddedEdgeCache() })
    assert.equal(stateOf((await world.link(linkId))!), 'active')
    assert.equal(await world.link(ended), undefined)
    assert.deepEqual(await world.left(), [])
  })

  test('1,200 links that end, of 12 aliases, take two requests a round', async () => {
    const world = await setUpEdges()
    const numbers = Array.from({ length: 1200 }, (_, index) => index + 1)
    for (const number of numbers) await world.published(number, { ended: true, alias: `press-${number % 12}` })
    const runs = await world.finish()
    assert.equal(world.edges.taken.length, 4)
    assert.deepEqual(
      world.edges.taken.map(({ tags }) => new Set(tags).size).sort((a, b) => a - b),
      [200, 200, MAX_TAGS, MAX_TAGS],
    )
    assert.ok(runs < 10, `${runs} runs`)
    for (const number of numbers) await assertTold(world, [number], { ended: true, alias: `press-${number % 12}` })
  })

  test('10,000 links of an alias that end at once cost a path a round', async () => {
    const world = await setUpEdges()
    const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1)
    for (const number of numbers) await world.published(number, { ended: true })
    await world.finish()
    assert.deepEqual(
      world.edges.taken.map(({ tags, prefixes }) => ({ tags, prefixes })),
      [
        { tags: [], prefixes: ['/press/'] },
        { tags: [], prefixes: ['/press/'] },
      ],
    )
    await assertTold(world, numbers, { ended: true })
  })

  test('links of an alias that end one after the other, for minutes, cost the first hundred and a path every half a minute', async () => {
    const world = await setUpEdges()
    const count = 3000
    for (let number = 1; number <= count; number += 1) {
      await world.published(number, { ended: true })
      world.clock.advance(0.1)
      if (number % 50 === 0) await world.run()
    }
    await world.finish()
    assert.ok(world.edges.paths <= 150, `${world.edges.paths} paths`)
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    await assertTold(world, numbers, { ended: true })
  })

  test('links of other aliases, and streams, are forgotten by themselves beside an alias that is forgotten as a whole', async () => {
    const world = await setUpEdges()
    for (let number = 1; number <= 200; number += 1) await world.published(number)
    const other = await world.published(1000, { alias: 'shop' })
    await world.streamRemoved(7)
    await world.finish()
    assert.deepEqual([...new Set(world.edges.taken.flatMap(({ tags }) => tags))], [`link-${other}`])
    const prefixes = new Set(world.edges.taken.flatMap((taken) => taken.prefixes))
    assert.deepEqual(prefixes, new Set(['/press/', '/streams/00000000000000000000000000000007/']))
    await assertTold(world, [1000], { alias: 'shop' })
    await assertTold(world, [1, 200])
  })

  test('more aliases at once than edges take wildcards wait for each other', async () => {
    const world = await setUpEdges()
    const aliases = Array.from({ length: MAX_PREFIXES + 3 }, (_, index) => `press-${index}`)
    for (const [index, alias] of aliases.entries()) {
      for (let link = 0; link < 101; link += 1) await world.published(101 * index + link, { ended: true, alias })
    }
    await world.finish()
    assert.deepEqual(new Set(world.edges.taken.flatMap(({ prefixes }) => prefixes)), new Set(aliases.map((alias) => `/${alias}/`)))
    assert.ok(!world.lines.some((line) => line.includes('too much to do')))
    assert.deepEqual(await world.left(), [])
  })

  test('very many streams that are removed cost a path a round', async () => {
    const world = await setUpEdges()
    for (let number = 1; number <= 500; number += 1) await world.streamRemoved(number)
    await world.finish()
    assert.deepEqual(
      world.edges.taken.map(({ prefixes }) => prefixes),
      [['/streams/'], ['/streams/']],
    )
    assert.deepEqual(await world.left(), [])
  })

  test('an invalidation of before that names no alias is asked for by its tag, however many there are', async () => {
    const world = await setUpEdges()
    const linkIds = []
    for (let number = 1; number <= 120; number += 1) {
      const linkId = await world.published(number)
      linkIds.push(linkId)
      await world.table.update(invalidationKey(linkId), { remove: ['alias'] })
    }
    await world.finish()
    assert.deepEqual(
      world.edges.taken.map(({ tags }) => tags.length),
      [120, 120],
    )
    await assertTold(world, [1, 120])
  })

  test('links that come one after the other are gathered', async () => {
    const world = await setUpEdges()
    for (let number = 1; number <= 40; number += 1) {
      await world.published(number)
      world.clock.advance(0.5)
      await world.run()
    }
    await world.finish()
    assert.ok(world.edges.taken.length <= 10, `${world.edges.taken.length} requests`)
    assert.equal(stateOf((await world.link(linkIdOf(40)))!), 'active')
    assert.deepEqual(await world.left(), [])
  })

  test('edges that have too much to do are asked later, and those that were asked meanwhile come to their end', async () => {
    const world = await setUpEdges()
    world.edges.mostInProgress = 1
    for (const number of [1, 2, 3]) {
      await world.published(number)
      await world.run()
      world.clock.advance(7)
    }
    await world.finish()
    assert.deepEqual(await world.left(), [])
    for (const number of [1, 2, 3]) assert.equal(stateOf((await world.link(linkIdOf(number)))!), 'active')
  })

  test('a cache that asks for patience, whatever it is asked, loses nothing', async () => {
    const world = await setUpEdges()
    await world.published(1)
    let refused = 0
    const patience = () => {
      refused += 1
      if (refused % 3 !== 0) throw new EdgeCacheBusy('throttled')
    }
    const { edges } = world
    const busy = {
      ...{ inFlightSeconds: 60, pauseSeconds: 5 },
      async invalidate(what: Forgotten, reference: string) {
        patience()
        return edges.invalidate(what, reference)
      },
      async isDone(id: string) {
        patience()
        return edges.isDone(id)
      },
    }
    await world.finish({ edgeCache: busy })
    await assertTold(world, [1])
    assert.ok(world.lines.some((line) => line.includes('too much to do')))
  })

  test('a cache that is not there fails the job, which goes on when it is back', async () => {
    const world = await setUpEdges()
    await world.published(1)
    const gone = async () => {
      throw new EdgeCacheUnavailable('gone')
    }
    await assert.rejects(
      world.run({ edgeCache: { inFlightSeconds: 60, pauseSeconds: 5, invalidate: gone, isDone: gone } }),
      EdgeCacheUnavailable,
    )
    await world.finish()
    await assertTold(world, [1])
  })

  test('edges that take long are waited for', async () => {
    const world = await setUpEdges()
    world.edges.seconds = 1200
    const linkId = await world.published(1)
    const began = world.clock.now()
    await world.finish()
    assert.ok(world.clock.now() - began >= 1_200_000)
    assert.equal(stateOf((await world.link(linkId))!), 'active')
  })

  test('a revision that comes meanwhile is told from the start, and the end of the one before says nothing of it', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1)
    await world.run()
    world.clock.advance(70)
    await world.run()
    const since = world.clock.now()
    await world.published(1, { revision: 3 })
    await world.finish()
    assert.ok(world.edges.taken.some(({ begun }) => begun >= since + 60_000))
    await assertTold(world, [1])
    assert.equal((await world.link(linkId))!.revision, 3)
  })

  test('a link that shows something else already stays to be published', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1)
    await world.table.update(linkKey(linkId), { set: { mediaId: toMediaId(9) }, add: { revision: 1 } })
    await world.finish()
    assert.deepEqual(await world.left(), [])
    const link = (await world.link(linkId))!
    assert.deepEqual([link.changed, link.stale, stateOf(link)], [1, undefined, 'replacing'])
  })

  test('an invalidation without its link goes', async () => {
    const world = await setUpEdges()
    await world.table.transact(forgetLink(world.library, { linkId: linkIdOf(7), alias: 'press', revision: 2 }))
    await world.finish()
    assert.deepEqual(await world.left(), [])
    assert.equal(await world.link(linkIdOf(7)), undefined)
  })
})
