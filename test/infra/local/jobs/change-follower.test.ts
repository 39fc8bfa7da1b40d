import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'vitest'
import { followChanges } from '../../../../infra/local/jobs/change-follower.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { DeadChanges } from '../../../../shared/backends/table/embedded-dead-letters.ts'
import { TableUnavailable } from '../../../../shared/backends/table/port.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { changeConsumer } from '../../../../shared/runtime/consumer.ts'
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

/** A consumer of removals. */
const watching = (handle: (mediaId: number) => void) => ({
  ...changeConsumer({
    ...{ summary: 'Watches', trigger: { events: ['media.removed'] }, uses: {}, timeoutSeconds: 5 },
    handle: async ({ event }) => handle(event.mediaId),
  }),
  name: 'watch-things',
})

it('makes a dead letter of a change that always fails or cannot be read, with its reason, and goes on with the next', async () => {
  const letters = new DeadChanges(join(directory, 'parked'), systemClock)
  const handled: number[] = []
  const consumer = watching((mediaId) => {
    if (mediaId === 1) throw new Error('never works')
    handled.push(mediaId)
  })
  const context = { clock: systemClock, log: jsonLog(() => undefined) }
  follower = followChanges(consumer, table, {
    run: async (run, event) => void (await run.handle({ ...event, ...context })),
    log: context.log,
    deadLetter: (...change) => letters.add(...change),
    clock: new TestClock().hasty,
  })
  await table.put({ pk: 'poison', sk: 'TOMBSTONE', mediaId: 1 })
  await table.put({ pk: 'MEDIA#3', sk: 'MEDIA', state: 'available', folders: [1] })
  await table.put({ pk: 'MEDIA#3', sk: 'MEDIA', state: 'available', folders: null })
  await table.put({ pk: 'good', sk: 'TOMBSTONE', mediaId: 2 })
  follower.wake()
  await until(() => handled.length === 1)
  const names = await readdir(join(directory, 'parked'))
  assert.equal(letters.count().count, names.length)
  const dead = names.map(async (name) => {
    const path = join(directory, 'parked', name)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    const { consumer, reason, change } = JSON.parse(await readFile(path, 'utf8'))
    return [change.key.pk, consumer, reason]
  })
  assert.deepEqual((await Promise.all(dead)).sort(), [
    ['MEDIA#3', 'watch-things', "Cannot read properties of null (reading 'map')"],
    ['poison', 'watch-things', 'never works'],
  ])
})

it('outlives a disk on which its position cannot be saved, and saves it later', async () => {
  const log: string[] = []
  let isFull = true
  const source = {
    readChanges: table.readChanges.bind(table),
    position: table.position.bind(table),
    async savePosition(name: string, position: string) {
      if (isFull) throw new TableUnavailable('database or disk is full')
      await table.savePosition(name, position)
    },
  }
  const options = { run: async () => undefined, clock: systemClock, deadLetter: async () => undefined }
  follower = followChanges(
    watching(() => undefined),
    source,
    { ...options, log: jsonLog((line) => log.push(line)) },
  )
  await table.put({ pk: 'a', sk: 'TOMBSTONE', mediaId: 1 })
  follower.wake()
  await until(() => log.some((line) => line.includes('position could not be saved')))
  isFull = false
  await until(() => table.position('watch-things') !== undefined)
})
