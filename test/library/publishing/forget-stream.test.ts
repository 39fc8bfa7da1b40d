import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { MAX_PREFIXES } from '../../../shared/backends/edge-cache/port.ts'
import { type EncodingId, toEncodingId } from '../../../shared/vocabulary/ids.ts'
import { assertTold, setUpEdges } from './edges-set-up.ts'

const encodingIdOf = (number: number): EncodingId => toEncodingId(number.toString(16).padStart(32, '0'))
const prefixOf = (number: number): string => `/streams/${encodingIdOf(number)}/`

describe('edges forget a removed stream', () => {
  test('at once, and once more when no older answer can be on its way', async () => {
    const world = await setUpEdges()
    await world.streamRemoved(1)
    await world.finish()
    assert.deepEqual(
      world.edges.taken.map(({ prefixes, begun }) => ({ prefixes, after: begun - world.began })),
      [
        { prefixes: [prefixOf(1)], after: 0 },
        { prefixes: [prefixOf(1)], after: 60_000 },
      ],
    )
    assert.deepEqual(await world.left(), [])
  })

  test('asked for again meanwhile, as after a crash: counted from then on', async () => {
    const world = await setUpEdges()
    await world.streamRemoved(1)
    await world.run()
    world.clock.advance(30)
    await world.streamRemoved(1)
    await world.finish()
    assert.deepEqual(await world.left(), [])
    assert.ok(world.edges.taken.at(-1)!.begun >= world.began + 90_000)
  })

  test('of many no more at a time than edges take, and links wait for none of them', async () => {
    const world = await setUpEdges()
    const many = Array.from({ length: 4 * MAX_PREFIXES }, (_, index) => index + 1)
    for (const number of many) await world.streamRemoved(number)
    await world.published(1)
    await world.finish()
    await assertTold(world, [1])
    const [firstOfLink] = world.edges.taken.filter(({ tags }) => tags.length > 0)
    assert.equal(firstOfLink!.begun, world.began)
    for (const number of many) {
      const asked = world.edges.taken.filter(({ prefixes }) => prefixes.includes(prefixOf(number)))
      assert.ok(asked.at(-1)!.begun >= world.began + 60_000, prefixOf(number))
    }
    assert.ok(!world.lines.some((line) => line.includes('too much to do')), 'edges refused nothing')
  })
})
