import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import type { Forgotten } from '../../../shared/backends/edge-cache/port.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { LEASE_MS } from '../../../shared/library/jobs/perform.ts'
import { type LinkRecord, stateOf } from '../../../shared/library/links/link.ts'
import { cacheTag, publicKeys } from '../../../shared/library/links/public-keys.ts'
import { askForInvalidation, invalidationJob } from '../../../shared/library/publishing/invalidation.ts'
import { assertTold, linkIdOf, setUpEdges } from './edges-set-up.ts'

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

  test('one that is killed holds up others until its lease ends', async () => {
    const world = await setUpEdges()
    await world.published(1)
    assert.ok(await claimNext(world.library, invalidationJob.name, undefined, LEASE_MS))
    const killed = world.clock.now()
    await world.finish()
    await assertTold(world, [1])
    // And a retry's pause.
    assert.ok(world.edges.taken[0]!.begun - killed <= LEASE_MS + 5_000)
  })

  test('being asked for a hundred times changes nothing', async () => {
    const world = await setUpEdges()
    for (const number of [1, 2, 3]) await world.published(number)
    for (let more = 0; more < 100; more += 1) await world.table.transact(askForInvalidation(world.library))
    await world.finish()
    assert.equal(world.edges.taken.length, 2)
    await assertTold(world, [1, 2, 3])
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

  for (const when of ['before', 'after'] as const) {
    test(`that end ${when} any one of their calls: the next ones come to the same end`, async () => {
      const calls = await callsUntil(when, Number.POSITIVE_INFINITY)
      assert.ok(calls > 20)
      for (let crash = 1; crash <= calls; crash += 1) await callsUntil(when, crash)
    })
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
  const { table, publicFiles, edgeCache } = world.library
  await world.published(1)
  await world.published(2, { ended: true })
  await world.finish({
    ...{ table: breaking(table), publicFiles: breaking(publicFiles), edgeCache: breaking(edgeCache) },
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
