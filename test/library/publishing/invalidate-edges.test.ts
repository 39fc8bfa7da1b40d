import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { EdgeCacheBusy, type Forgotten, MAX_TAGS } from '../../../shared/backends/edge-cache/port.ts'
import { linkKey, stateOf } from '../../../shared/library/links/link.ts'
import { invalidationKey } from '../../../shared/library/publishing/invalidation.ts'
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

  test('a stream that is removed is forgotten at once, and once more when no older answer can be on its way', async () => {
    const world = await setUpEdges()
    await world.streamRemoved(1)
    const prefixes = ['/streams/00000000000000000000000000000001/']
    await world.finish()
    assert.deepEqual(
      world.edges.taken.map((taken) => ({ prefixes: taken.prefixes, after: taken.begun - world.began })),
      [
        { prefixes, after: 0 },
        { prefixes, after: 60_000 },
      ],
    )
    assert.deepEqual(await world.left(), [])
  })
})

describe('runs that tell edges', () => {
  test('a link that comes while one asks edges is not forgotten', async () => {
    const world = await setUpEdges()
    await world.published(1)
    const { edges } = world
    let isFirst = true
    const slow = {
      ...{ inFlightSeconds: 60, pauseSeconds: 5 },
      isDone: (id: string) => edges.isDone(id),
      async invalidate(what: Forgotten, reference: string) {
        if (isFirst) await world.published(2)
        isFirst = false
        return edges.invalidate(what, reference)
      },
    }
    await world.finish({ edgeCache: slow })
    await assertTold(world, [1, 2])
  })

  test('whose clocks are behind those of who sent for them go on all the same', async () => {
    const world = await setUpEdges()
    await world.published(1)
    await world.run()
    const behind = { ...systemClock, now: () => world.clock.now() - 4000 }
    await world.finish({ clock: behind as typeof world.clock })
    await assertTold(world, [1])
  })

  test('that are out of time at once leave the work to others, which come to the end', async () => {
    const world = await setUpEdges()
    for (const number of [1, 2, 3]) await world.published(number)
    let asked = 0
    await world.finish({}, () => {
      world.clock.advance(1)
      return ++asked % 3 !== 0
    })
    assert.deepEqual(await world.left(), [])
    for (const number of [1, 2, 3]) assert.equal(stateOf((await world.link(linkIdOf(number)))!), 'active')
  })
})
