import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'vitest'
import { followChanges } from '../../../../infra/local/jobs/change-follower.ts'
import type { RunJob } from '../../../../infra/local/jobs/run-job.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { TableUnavailable } from '../../../../shared/backends/table/port.ts'
import type { Failed } from '../../../../shared/library/events/failed-event.ts'
import { jobsIn } from '../../../../shared/library/jobs/in-state.ts'
import { JobKind } from '../../../../shared/library/jobs/job.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { batchConsumer } from '../../../../shared/runtime/consumer.ts'
import { instead } from '../../../support/instead.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { TestClock } from '../../../support/test-clock.ts'
import { until } from '../../../support/until.ts'

let directory: string
let table: EmbeddedTable
let follower: ReturnType<typeof followChanges>
beforeEach(() => {
  directory = temporaryDirectory()
  table = openEmbeddedTable(join(directory, 'table.db'))
})
afterEach(async () => {
  await follower.stop()
  table.close()
})

const repetition = new JobKind<Failed>('repeat')

/** A consumer of removals. */
const watching = (handle: (mediaId: number) => void) => ({
  ...batchConsumer({
    ...{
      summary: 'Watches',
      trigger: { batchesOf: ['media.removed', 'media.placed'] },
      repeatedBy: repetition,
      uses: {},
      timeoutSeconds: 5,
    },
    async handle({ events }) {
      return events.filter(({ mediaId }) => {
        try {
          handle(mediaId)
          return false
        } catch {
          return true
        }
      })
    },
  }),
  name: 'watch-things',
})

const context = { clock: systemClock, log: jsonLog(() => undefined) }
const run: RunJob = async (declared, input) => declared.handle({ ...input, ...context } as never)

it('makes a job of an event that fails, and of a change that cannot be read, and goes on with the next', async () => {
  const handled: number[] = []
  const consumer = watching((mediaId) => {
    if (mediaId === 1) throw new Error('never works')
    handled.push(mediaId)
  })
  follower = followChanges(consumer, table, { run, log: context.log, clock: new TestClock().hasty })
  await table.put({ pk: 'poison', sk: 'TOMBSTONE', companyId: 7, mediaId: 1 })
  await table.put({ pk: 'MEDIA#3', sk: 'MEDIA', state: 'available', folders: [1] })
  await table.put({ pk: 'MEDIA#3', sk: 'MEDIA', state: 'available', folders: null })
  await table.put({ pk: 'good', sk: 'TOMBSTONE', companyId: 7, mediaId: 2 })
  follower.wake()
  await until(() => handled.length === 1)
  await until(() => table.position('watch-things') !== undefined)
  const jobs = await Array.fromAsync(jobsIn({ table }, 'waiting', ['repeat']))
  assert.deepEqual(
    jobs.map(({ companyId, input }) => [companyId, 'event' in (input as Failed) ? 'event' : 'change']),
    [
      [0, 'change'],
      [7, 'event'],
    ],
  )
})

it('waits while nothing can be written down, and gives the same again', async () => {
  const tries: number[] = []
  let isFull = true
  const consumer = watching((mediaId) => {
    tries.push(mediaId)
    if (isFull) throw new Error('the disk is full')
  })
  const source = instead(table, {
    async transact(operations) {
      if (isFull) throw new TableUnavailable('database or disk is full')
      return table.transact(operations)
    },
  })
  follower = followChanges(consumer, source, { run, log: context.log, clock: new TestClock().hasty })
  await table.put({ pk: 'a', sk: 'TOMBSTONE', companyId: 7, mediaId: 1 })
  await table.put({ pk: 'b', sk: 'TOMBSTONE', companyId: 7, mediaId: 2 })
  follower.wake()
  await until(() => tries.length >= 4)
  isFull = false
  await until(() => table.position('watch-things') !== undefined)
  assert.deepEqual(tries.slice(-2), [1, 2])
  assert.deepEqual(await Array.fromAsync(jobsIn({ table }, 'waiting', ['repeat'])), [])
})

it('stops while it waits to try a change again, and gets it again after that', async () => {
  let tries = 0
  const failing = watching(() => {
    tries++
    throw new Error('not yet')
  })
  follower = followChanges(failing, table, { run, log: context.log, clock: new TestClock() })
  await table.put({ pk: 'a', sk: 'TOMBSTONE', companyId: 7, mediaId: 1 })
  follower.wake()
  await until(() => tries === 1)
  await follower.stop()
  assert.equal(table.position('watch-things'), undefined)
  assert.deepEqual(await Array.fromAsync(jobsIn({ table }, 'waiting', ['repeat'])), [])
})

it('outlives a disk on which its position cannot be saved, and saves it later', async () => {
  const log: string[] = []
  let isFull = true
  const source = instead(table, {
    async savePosition(name: string, position: string) {
      if (isFull) throw new TableUnavailable('database or disk is full')
      await table.savePosition(name, position)
    },
  })
  follower = followChanges(
    watching(() => undefined),
    source,
    { run, clock: systemClock, log: jsonLog((line) => log.push(line)) },
  )
  await table.put({ pk: 'a', sk: 'TOMBSTONE', companyId: 7, mediaId: 1 })
  follower.wake()
  await until(() => log.some((line) => line.includes('position could not be saved')))
  isFull = false
  await until(() => table.position('watch-things') !== undefined)
})
