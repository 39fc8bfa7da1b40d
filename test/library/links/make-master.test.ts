import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { ToolBusy, ToolFailed, ToolTimedOut, ToolUnavailable } from '../../../shared/tools/failure.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { setUp } from './set-up.ts'

const HEIC = { mime: 'image/heic', extension: 'heic' }

describe('a master', () => {
  test('of the former file is made as long as links show that', async () => {
    const { create, publish, change, master, file, stored } = await setUp()
    const created = await create(await file())
    await publish(created)
    await change(created, await file())
    await master(created)
    assert.equal((await stored())[publicKeys.master(created.linkId, { revision: 1 })], 'master of image/jpeg')
  })

  test.each(['replaced', 'ended'] as const)('is not made, and does not stay, of a link that was %s', async (how) => {
    const { create, publish, change, master, making, file, stored } = await setUp()
    const created = await create(await file(HEIC))
    await publish(created)
    const next = how === 'replaced' ? await file() : null
    const meanwhile = async (...input: Parameters<typeof making.masterMaker>) => {
      const made = await making.masterMaker(...input)
      await change(created, next)
      await publish(created)
      return made
    }
    await master(created, { ...making, masterMaker: meanwhile })
    const former = async () =>
      Object.keys(await stored()).filter((key) => key.startsWith(publicKeys.sourcesOf(created.linkId, { revision: 1 })))
    assert.deepEqual(await former(), [])
    await master(created)
    assert.deepEqual(await former(), [])
  })

  test.each(['before', 'after'] as const)('is made although a run ends %s any call', async (when) => {
    for (let failing = 1, wasReached = true; wasReached; failing += 1) {
      const { create, publish, master, making, file, stored } = await setUp()
      const created = await create(await file())
      await publish(created)
      const faults = new Faults(failing, when)
      await unlessEnded(master(created, { ...making, table: faults.in(making.table), publicFiles: faults.in(making.publicFiles) }))
      wasReached = faults.hasFailed
      await master(created)
      assert.equal((await stored())[publicKeys.master(created.linkId, { revision: 1 })], 'master of image/jpeg', `${when} call ${failing}`)
    }
  })

  test('that cannot be made of a picture is done without; of one that had to be converted a mark says so', async () => {
    const { create, publish, master, making, file, stored, lines } = await setUp()
    const failing = { ...making, masterMaker: () => Promise.reject(new ToolFailed('broken')) }
    const [photo, heic] = [await create(await file()), await create(await file(HEIC))]
    await publish(photo)
    await master(photo, failing)
    assert.ok((await stored())[publicKeys.original(photo.linkId, { revision: 1 })])
    assert.match(lines.join(), /no master/)
    assert.equal((await stored())[publicKeys.undecodable(photo.linkId, { revision: 1 })], undefined)
    for (const error of [new ToolBusy('others had the processor'), new ToolUnavailable('no memory')]) {
      await assert.rejects(master(heic, { ...making, masterMaker: () => Promise.reject(error) }), error)
      assert.equal((await stored())[publicKeys.undecodable(heic.linkId, { revision: 1 })], undefined)
    }
    await master(heic, { ...making, masterMaker: () => Promise.reject(new ToolTimedOut('slow')) })
    assert.equal((await stored())[publicKeys.undecodable(heic.linkId, { revision: 1 })], '')
  })
})
