import assert from 'node:assert/strict'
import { test } from 'vitest'
import { ConditionFailed } from '../../shared/backends/table/port.ts'
import { withFreshId } from '../../shared/library/fresh-id.ts'
import { FIRST_PROVIDED_ID } from '../../shared/vocabulary/ids.ts'

test('fresh ids are whole numbers from 1, and none is one that an item of a provider may have', async () => {
  for (let draw = 0; draw < 2_000; draw++) {
    const id = await withFreshId(async (fresh: number) => fresh)
    assert.ok(Number.isInteger(id) && id >= 1 && id < FIRST_PROVIDED_ID, String(id))
  }
})

test('an id that is taken is drawn again; whatever else fails is told', async () => {
  const drawn: number[] = []
  const id = await withFreshId(async (fresh: number) => {
    drawn.push(fresh)
    if (drawn.length < 3) throw new ConditionFailed(['claim'])
    return fresh
  })
  assert.equal(drawn.length, 3)
  assert.equal(id, drawn[2])
  await assert.rejects(
    withFreshId(async () => {
      throw new ConditionFailed(['listing'])
    }),
    ConditionFailed,
  )
})
