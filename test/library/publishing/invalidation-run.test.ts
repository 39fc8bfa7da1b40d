import assert from 'node:assert/strict'
import { describe, onTestFinished, test, vi } from 'vitest'
import type { Forgotten } from '../../../shared/backends/edge-cache/port.ts'
import { type LinkRecord, stateOf } from '../../../shared/library/links/link.ts'
import { cacheTag, publicKeys } from '../../../shared/library/links/public-keys.ts'
import { assertTold, linkIdOf, setUpEdges } from './edges-set-up.ts'

describe('runs that tell edges', () => {
  test('two at the same time: one works, and what comes meanwhile is not forgotten', async () => {
    const world = await setUpEdges()
    await world.published(1)
    const { edges } = world
    const slow = {
      ...{ inFlightSeconds: 60, pauseSeconds: 5 },
      isDone: (id: string) => edges.isDone(id),
      async invalidate(what: Forgotten, reference: string) {
        await world.published(2)
        world.messages.length = 0
        await world.run()
        return edges.invalidate(what, reference)
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
    const killed = world.clock.now()
    await world.deliverAll()
    await assertTold(world, [1])
    assert.equal((await world.link(linkId))?.stale, undefined)
    assert.ok(world.edges.taken[0]!.begun - killed <= 20_000, 'others wait no longer than a link usually takes')
  })

  test('a run that takes long keeps others away', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const world = await setUpEdges()
    await world.published(1)
    const { edges } = world
    const slow = {
      ...{ inFlightSeconds: 60, pauseSeconds: 5, isDone: (id: string) => edges.isDone(id) },
      async invalidate(what: Forgotten, reference: string) {
        for (let seconds = 0; seconds < 90; seconds += 5) {
          world.clock.advance(5)
          await vi.advanceTimersByTimeAsync(5_000)
        }
        await world.run()
        assert.equal(edges.taken.length, 0)
        return edges.invalidate(what, reference)
      },
    }
    await world.run({ edgeCache: slow })
    assert.equal(edges.taken.length, 1)
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
