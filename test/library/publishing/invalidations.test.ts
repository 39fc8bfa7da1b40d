import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import { EdgeCacheBusy, EdgeCacheUnavailable, MAX_TAGS } from '../../../shared/backends/edge-cache/port.ts'
import { type LinkRecord, linkKey, stateOf } from '../../../shared/library/links/link.ts'
import { cacheTag, publicKeys } from '../../../shared/library/links/public-keys.ts'
import { invalidationOf } from '../../../shared/library/publishing/invalidation.ts'
import { toMediaId } from '../../../shared/library/vocabulary/ids.ts'
import { linkIdOf, setUpEdges } from './edges-set-up.ts'

type World = Awaited<ReturnType<typeof setUpEdges>>

/** Edges keep nothing of before: each link was asked for when nothing old could come behind it, and that has ended. */
async function assertTold(world: World, numbers: readonly number[], { ended = false } = {}): Promise<void> {
  const { edges, clock } = world
  assert.deepEqual(await world.left(), [])
  for (const number of numbers) {
    const linkId = linkIdOf(number)
    const asked = edges.taken.filter(({ tags }) => tags.includes(cacheTag(linkId)))
    assert.ok(asked.length > 0 && asked.every(({ begun }) => begun + edges.seconds * 1000 <= clock.now()), `link ${number}`)
    const link = await world.link(linkId)
    if (ended) {
      assert.equal(link, undefined)
      continue
    }
    assert.equal(stateOf(link!), 'active')
    assert.ok(link!.changed >= world.began + 60_000)
    assert.equal(link!.dueAt, undefined)
    assert.deepEqual(await world.sources(linkId), [publicKeys.original(linkId, link!.revision)])
  }
}

describe('telling edges', () => {
  test('they are asked at once, and again when nothing rendered before can be on its way', async () => {
    const world = await setUpEdges()
    const began = world.clock.now()
    const linkId = await world.published(1)
    await world.run()
    assert.equal(stateOf((await world.link(linkId))!), 'replacing')
    assert.equal((await world.sources(linkId)).length, 2, 'renderers of before may still read')
    await world.deliverAll()
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
    await world.deliverAll()
    assert.equal(world.edges.taken.length, 2)
    await assertTold(world, [1], { ended: true })
  })

  test('a request that begins so late that nothing old is on its way is the only one', async () => {
    const world = await setUpEdges()
    await world.published(1)
    world.clock.advance(60)
    await world.deliverAll()
    assert.equal(world.edges.taken.length, 1)
    await assertTold(world, [1])
  })

  test('on one machine one run does it all', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1)
    const ended = await world.published(2, { ended: true })
    world.messages.length = 0
    await world.run({ edgeCache: embeddedEdgeCache() })
    assert.equal(stateOf((await world.link(linkId))!), 'active')
    assert.equal(await world.link(ended), undefined)
    assert.equal(world.messages.length, 0)
    assert.deepEqual(await world.left(), [])
  })

  test('1,200 links that end take two requests a round, though each sends a message', async () => {
    const world = await setUpEdges()
    const numbers = Array.from({ length: 1200 }, (_, index) => index + 1)
    for (const number of numbers) await world.published(number, { ended: true })
    const runs = await world.deliverAll()
    assert.equal(world.edges.taken.length, 4)
    assert.deepEqual(
      world.edges.taken.map(({ tags }) => new Set(tags).size).sort((a, b) => a - b),
      [200, 200, MAX_TAGS, MAX_TAGS],
    )
    assert.ok(runs < 1300, `${runs} runs`)
    await assertTold(world, numbers, { ended: true })
  }, 60_000)

  test('links that come one after the other are gathered', async () => {
    const world = await setUpEdges()
    for (let number = 1; number <= 40; number += 1) {
      await world.published(number)
      world.clock.advance(0.5)
      await world.run()
    }
    await world.deliverAll()
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
    await world.deliverAll()
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
      async invalidate(tags: readonly string[], reference: string) {
        patience()
        return edges.invalidate(tags, reference)
      },
      async isDone(id: string) {
        patience()
        return edges.isDone(id)
      },
    }
    await world.deliverAll({ edgeCache: busy })
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
    await world.deliverAll()
    await assertTold(world, [1])
  })

  test('edges that take long are waited for', async () => {
    const world = await setUpEdges()
    world.edges.seconds = 1200
    const linkId = await world.published(1)
    const began = world.clock.now()
    await world.deliverAll()
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
    await world.deliverAll()
    assert.ok(world.edges.taken.some(({ begun }) => begun >= since + 60_000))
    await assertTold(world, [1])
    assert.equal((await world.link(linkId))!.revision, 3)
  })

  test('a link that shows something else already stays to be published, and one whose publisher crashed stays due', async () => {
    const world = await setUpEdges()
    const [moved, crashed, both] = [await world.published(1), await world.published(2), await world.published(3, { ended: true })]
    await world.table.update(linkKey(moved), { set: { mediaId: toMediaId(9) }, add: { revision: 1 } })
    for (const linkId of [crashed, both]) await world.table.update(linkKey(linkId), { set: { publisher: 'crashed', publisherUntil: 1 } })
    await world.deliverAll()
    assert.deepEqual(await world.left(), [])
    for (const linkId of [moved, crashed, both]) {
      const { changed, dueAt, stale } = (await world.link(linkId))!
      assert.deepEqual({ changed, stale, due: dueAt !== undefined }, { changed: 1, stale: undefined, due: true }, linkId)
    }
    assert.equal(stateOf((await world.link(moved))!), 'replacing')
  })

  test('an invalidation without its link goes', async () => {
    const world = await setUpEdges()
    await world.table.transact({ orphan: invalidationOf(world, { linkId: linkIdOf(7), revision: 2 }) })
    await world.send({})
    await world.deliverAll()
    assert.deepEqual(await world.left(), [])
    assert.equal(await world.link(linkIdOf(7)), undefined)
  })
})

describe('runs', () => {
  test('two at the same time: one works, and what comes meanwhile is not forgotten', async () => {
    const world = await setUpEdges()
    await world.published(1)
    const { edges } = world
    const slow = {
      ...{ inFlightSeconds: 60, pauseSeconds: 5 },
      isDone: (id: string) => edges.isDone(id),
      async invalidate(tags: readonly string[], reference: string) {
        await world.published(2)
        world.messages.length = 0
        await world.run()
        return edges.invalidate(tags, reference)
      },
    }
    await world.run({ edgeCache: slow })
    await world.deliverAll()
    await assertTold(world, [1])
    assert.equal(stateOf((await world.link(linkIdOf(2)))!), 'active')
  })

  test('a run that is killed holds up others only for a while, though its message is lost', async () => {
    const world = await setUpEdges()
    const linkId = await world.published(1)
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const invalidate = () => {
      reach()
      return new Promise<string>(() => {})
    }
    void world.run({ edgeCache: { inFlightSeconds: 60, pauseSeconds: 5, isDone: async () => true, invalidate } })
    await reached
    await world.deliverAll()
    await assertTold(world, [1])
    assert.equal((await world.link(linkId))?.stale, undefined)
  })

  test('a hundred messages more change nothing', async () => {
    const world = await setUpEdges()
    for (const number of [1, 2, 3]) await world.published(number)
    for (let more = 0; more < 100; more += 1) await world.send({}, { delaySeconds: more })
    await world.deliverAll()
    assert.ok(world.edges.taken.length <= 2, `${world.edges.taken.length} requests`)
    for (const number of [1, 2, 3]) assert.equal(stateOf((await world.link(linkIdOf(number)))!), 'active')
  })

  test('whose clocks are behind those of who sent for them go on all the same', async () => {
    const world = await setUpEdges()
    await world.published(1)
    await world.run()
    const behind = { now: () => world.clock.now() - 4000 }
    await world.deliverAll({ clock: behind as typeof world.clock })
    await assertTold(world, [1])
  })

  test('that are out of time at once leave the work to others, which come to the end', async () => {
    const world = await setUpEdges()
    for (const number of [1, 2, 3]) await world.published(number)
    let asked = 0
    await world.deliverAll({}, () => ++asked % 3 !== 0)
    assert.deepEqual(await world.left(), [])
    for (const number of [1, 2, 3]) assert.equal(stateOf((await world.link(linkIdOf(number)))!), 'active')
  })

  for (const when of ['before', 'after'] as const) {
    test(`that end ${when} any one of their calls: the next ones come to the same end`, async () => {
      const calls = await callsUntil(when, Number.POSITIVE_INFINITY)
      assert.ok(calls > 20)
      for (let crash = 1; crash <= calls; crash += 1) await callsUntil(when, crash)
    }, 120_000)
  }
})

/** Runs to the end, where one call fails. @returns the number of calls */
async function callsUntil(when: 'before' | 'after', crash: number): Promise<number> {
  const world = await setUpEdges()
  Object.assign(world.edges, { inFlightSeconds: 10, seconds: 4 })
  let calls = 0
  const breaking = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return async (...input: unknown[]) => {
          calls += 1
          const fails = calls === crash
          if (fails && when === 'before') throw new Error('killed')
          const result: unknown = await Reflect.apply(value, target, input)
          if (fails) throw new Error('killed')
          return result
        }
      },
    })
  const { table, publicFiles, edgeCache, invalidations } = world.library
  await world.published(1)
  await world.published(2, { ended: true })
  await world.deliverAll({
    ...{ table: breaking(table), publicFiles: breaking(publicFiles) },
    ...{ edgeCache: breaking(edgeCache), invalidations: breaking(invalidations) },
  })
  assert.deepEqual(await world.left(), [], `crash at call ${crash}`)
  const shown = (await world.link(linkIdOf(1))) as LinkRecord
  assert.equal(stateOf(shown), 'active', `crash at call ${crash}`)
  assert.equal(await world.link(linkIdOf(2)), undefined, `crash at call ${crash}`)
  assert.deepEqual(await world.sources(linkIdOf(1)), [publicKeys.original(linkIdOf(1), 2)])
  for (const number of [1, 2]) {
    const last = Math.max(...world.edges.taken.filter(({ tags }) => tags.includes(cacheTag(linkIdOf(number)))).map(({ begun }) => begun))
    assert.ok(last >= world.began + 10_000, `crash at call ${crash}`)
  }
  return calls
}
