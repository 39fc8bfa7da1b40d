import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'vitest'
import { followChanges } from '../../../../infra/local/jobs/change-follower.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { DeadChanges } from '../../../../shared/backends/table/embedded-dead-letters.ts'
import { TableUnavailable } from '../../../../shared/backends/table/port.ts'
import { changeConsumer } from '../../../../shared/events/consumer.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { TestClock } from '../../../support/test-clock.ts'
import { until } from '../../../support/until.ts'

it('makes a dead letter of a change that always fails or cannot be read, with its reason, and goes on with the next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  const table = openEmbeddedTable(join(directory, 'table.db'))
  const letters = new DeadChanges(join(directory, 'parked'), systemClock)
  const handled: number[] = []
  const declared = changeConsumer({
    summary: 'Fails on one',
    trigger: { events: ['media.removed'] },
    uses: {},
    timeoutSeconds: 5,
    async handle({ event }) {
      if (event.mediaId === 1) throw new Error('never works')
      handled.push(event.mediaId)
    },
  })
  const context = { clock: systemClock, log: jsonLog(() => undefined) }
  const follower = followChanges({ ...declared, name: 'watch-things' }, table, {
    run: async (run, event) => void (await run.handle({ ...event, ...context })),
    log: context.log,
    deadLetter: (...change) => letters.add(...change),
    clock: new TestClock().hasty,
  })
  try {
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
  } finally {
    await follower.stop()
    table.close()
    await rm(directory, { recursive: true, force: true })
  }
})

it('outlives a disk on which its position cannot be saved, and saves it later', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  const table = openEmbeddedTable(join(directory, 'table.db'))
  const declared = changeConsumer({
    summary: 'Watches',
    trigger: { events: ['media.removed'] },
    uses: {},
    timeoutSeconds: 5,
    async handle() {},
  })
  const log: string[] = []
  let isFull = true
  const follower = followChanges(
    { ...declared, name: 'watch-things' },
    {
      readChanges: (...args) => table.readChanges(...args),
      position: (name) => table.position(name),
      async savePosition(name, position) {
        if (isFull) throw new TableUnavailable('database or disk is full')
        await table.savePosition(name, position)
      },
    },
    { run: async () => undefined, clock: systemClock, log: jsonLog((line) => log.push(line)), deadLetter: async () => undefined },
  )
  try {
    await table.put({ pk: 'a', sk: 'TOMBSTONE', mediaId: 1 })
    follower.wake()
    await until(() => log.some((line) => line.includes('position could not be saved')))
    isFull = false
    await until(() => table.position('watch-things') !== undefined)
  } finally {
    await follower.stop()
    table.close()
    await rm(directory, { recursive: true, force: true })
  }
})
