import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { TableUnavailable } from '../../../shared/backends/table/port.ts'
import { type Asked, askForExisting } from '../../../shared/library/suggestions/existing.ts'
import { setUp } from './set-up.ts'

const PICTURES = 130

/** A company with pictures and other files that were imported before anybody asked for keywords. */
async function imported() {
  const world = await setUp()
  for (let mediaId = 1; mediaId <= PICTURES; mediaId++) await world.put(mediaId)
  await world.put(1001, { renditions: {}, kind: 'video' })
  await world.put(1002, { state: 'importing' })
  await world.put(1003, { companyId: world.companyId + 1 })
  const { library, companyId, read } = world
  return {
    ...world,
    ask: (report: (asked: Readonly<Asked>) => void = () => undefined) => askForExisting(library, companyId, report),
    async counted() {
      const files = await Promise.all([...Array.from({ length: PICTURES }, (_, n) => n + 1), 1001, 1002, 1003].map(read))
      return files.filter((media) => media?.suggestionsWanted !== undefined).length
    },
  }
}

describe('asking for keywords for files that are there', () => {
  test('asks for none twice: those that wait count as queued, those that were suggested as done', async () => {
    const { ask, read, run } = await imported()
    await ask()
    await run(1)
    await run(2)
    const { revision } = (await read(3))!
    assert.deepEqual(await ask(), { queued: PICTURES - 2, done: 2 })
    assert.equal((await read(3))?.revision, revision)
  })

  test('cut off anywhere, the next run asks for the rest', async () => {
    const { library, companyId, counted, ask } = await imported()
    const { transact } = library.table
    let left = 55
    library.table.transact = (...given) => {
      if (left-- <= 0) throw new TableUnavailable('cut off')
      return transact.apply(library.table, given)
    }
    await assert.rejects(
      askForExisting(library, companyId, () => undefined),
      TableUnavailable,
    )
    library.table.transact = transact
    const first = await counted()
    assert.ok(first > 0 && first < PICTURES, `${first} were asked for`)
    assert.deepEqual(await ask(), { queued: PICTURES, done: 0 })
    assert.equal(await counted(), PICTURES)
  })
})
