import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { jobsIn } from '../../../shared/library/jobs/in-state.ts'
import { jobIdIn } from '../../../shared/library/jobs/job.ts'
import { retryJob } from '../../../shared/library/jobs/operator.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { sweepFiles } from '../../../shared/library/versions/sweep.ts'
import { setVersionsKept } from '../../../shared/library/versions/sweep-company.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { Faults, unlessEnded } from '../../support/faults.ts'
import { availableFile, failNumber } from '../../support/numbers.ts'
import { companyWithFile, ID } from './set-up.ts'

/** Seconds. */
const HOUR = 3_600

describe('the sweep of numbers', () => {
  test('leaves the last ones, as many as the company keeps, and takes others 23 hours after they left those', async () => {
    const { exchange, numbers, due, clock } = await companyWithFile({ keep: 3 })
    await exchange()
    await exchange()
    assert.equal(await due(), undefined, 'nothing is asked for where nothing will have to go')
    await exchange()
    await due()
    clock.advance(23 * HOUR - 1)
    await due()
    assert.deepEqual(await numbers(), [4, 3, 2, 1])
    await exchange()
    clock.advance(1)
    await due()
    assert.deepEqual(await numbers(), [5, 4, 3, 2], 'a file that changes all the time is swept, too')
    clock.advance(23 * HOUR)
    assert.equal(await due(), undefined)
    assert.deepEqual(await numbers(), [5, 4, 3])
  })

  test('has one job for each number that has to go, however long a file changes all the time', async () => {
    const { exchange, due, clock, table, numbers } = await companyWithFile({ keep: 1 })
    for (let hour = 0; hour < 60; hour++) {
      await exchange()
      await due()
      clock.advance(HOUR)
    }
    const waiting = await Array.fromAsync(jobsIn({ table }, 'later', ['sweep-files']))
    assert.equal(waiting.length, 23)
    assert.equal((await numbers()).length, 1 + 23)
  })

  test('that the operator lets run early waits for its time', async () => {
    const { exchange, due, clock, table, numbers, library } = await companyWithFile({ keep: 1 })
    await exchange()
    const [job] = await Array.fromAsync(jobsIn({ table }, 'later', ['sweep-files']))
    await retryJob(library, jobIdIn(job!))
    await due()
    assert.deepEqual(await numbers(), [2, 1])
    clock.advance(23 * HOUR)
    await due()
    assert.deepEqual(await numbers(), [2])
  })

  test('leaves pinned numbers, and takes one that is pinned no longer within a day', async () => {
    const { exchange, numbers, due, clock, note } = await companyWithFile({ keep: 1 })
    for (const pin of [true, false, true]) {
      if (pin) await note((await numbers())[0]!, true)
      await exchange()
    }
    clock.advance(24 * HOUR)
    await due()
    assert.deepEqual(await numbers(), [4, 3, 1])
    await note(1, false)
    clock.advance(23 * HOUR)
    await due()
    assert.deepEqual(await numbers(), [4, 3])
  })

  test('leaves a number that somebody pins while it runs', async () => {
    const { exchange, numbers, clock, note, library, table } = await companyWithFile({ keep: 1 })
    await exchange()
    clock.advance(24 * HOUR)
    let isPinned = false
    const pinning = beforeTransactions(table, async () => {
      if (!isPinned) await note(1, true)
      isPinned = true
    })
    await sweepFiles({ ...library, table: pinning }, ID)
    assert.deepEqual(await numbers(), [2, 1])
  })

  test('takes failed imports that are older than all that is kept', async () => {
    const { exchange, numbers, due, clock, table } = await companyWithFile({ keep: 2 })
    await failNumber(table, ID)
    await exchange()
    await failNumber(table, ID)
    await exchange()
    await failNumber(table, ID)
    clock.advance(24 * HOUR)
    await due()
    assert.deepEqual(await numbers(), [6, 5, 4, 3])
  })

  test('leaves failed imports of a file that has no more numbers than are kept', async () => {
    const { exchange, numbers, due, clock, note, remove, table } = await companyWithFile({ keep: 2 })
    const failed = await failNumber(table, ID)
    await exchange()
    await remove(1)
    await note(failed, true)
    await note(failed, false)
    clock.advance(24 * HOUR)
    await due()
    assert.deepEqual(await numbers(), [3, 2])
  })

  test('follows what the company keeps from now on', async () => {
    const { exchange, numbers, due, clock, library, companyId, usage } = await companyWithFile({ keep: 20 })
    for (let bytes = 2; bytes <= 8; bytes++) await exchange(bytes)
    assert.deepEqual(await usage(), { bytes: 36, files: 1, versionBytes: 28 })
    clock.advance(24 * HOUR)
    await due()
    assert.equal((await numbers()).length, 8)
    await setVersionsKept(library, companyId, 5)
    clock.advance(HOUR)
    await due()
    assert.deepEqual(await numbers(), [8, 7, 6, 5, 4])
    await setVersionsKept(library, companyId, 1)
    await setVersionsKept(library, companyId, 4)
    clock.advance(HOUR)
    await due()
    assert.deepEqual(await numbers(), [8, 7, 6, 5])
    assert.deepEqual(await usage(), { bytes: 26, files: 1, versionBytes: 18 })
    assert.equal((await availableFile(library.table, ID)).versionBytes, 18)
  })

  test('frees bytes with the last number that has them', async () => {
    const { exchange, numbers, due, clock, usage, restore } = await companyWithFile({ keep: 2 })
    await exchange(10)
    await restore(1)
    await exchange(100)
    assert.deepEqual(await usage(), { bytes: 111, files: 1, versionBytes: 11 })
    clock.advance(24 * HOUR)
    await due()
    assert.deepEqual(await numbers(), [4, 3])
    assert.deepEqual(await usage(), { bytes: 101, files: 1, versionBytes: 1 }, 'number 3 has the bytes of number 1')
    await exchange(1_000)
    clock.advance(24 * HOUR)
    await due()
    assert.deepEqual(await usage(), { bytes: 1_100, files: 1, versionBytes: 100 })
  })

  test('is right however often it runs, also at the same time, and wherever its process ends', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let call = 1; ; call++) {
        const { exchange, numbers, clock, usage, library } = await companyWithFile({ keep: 2 })
        for (const bytes of [2, 4, 8]) await exchange(bytes)
        clock.advance(24 * HOUR)
        const faults = new Faults(call, when)
        await unlessEnded(sweepFiles({ ...library, table: faults.in(library.table) } as Writing, ID))
        await Promise.all([1, 2, 3].map(() => sweepFiles(library, ID)))
        assert.deepEqual(await numbers(), [4, 3])
        assert.deepEqual(await usage(), { bytes: 12, files: 1, versionBytes: 4 })
        if (!faults.hasFailed) break
      }
    }
  })
})
