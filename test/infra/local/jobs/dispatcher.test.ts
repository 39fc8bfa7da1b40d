import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'vitest'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { eventsToRepeat, type Failed } from '../../../../shared/library/events/failed-event.ts'
import { JobKind } from '../../../../shared/library/jobs/job.ts'
import { batchConsumer, job, schedule } from '../../../../shared/runtime/consumer.ts'
import { until } from '../../../support/until.ts'
import { Background } from './background.ts'

const keyOf = (folder: string) => ({ pk: `COMPANY#${folder}`, sk: 'FOLDER#1' })
/** A folder, as far as events tell of it. */
const folder = (name: string, more: Record<string, string | number> = {}) => ({
  ...{ ...keyOf(name), name, companyId: 1, folderId: name, parent: null, tags: [], grants: {} },
  ...more,
})

describe('the dispatcher', () => {
  let background: Background
  let seen: string[]
  beforeEach(() => {
    background = new Background()
    seen = []
  })

  /** Notes the events that it is given. */
  function changes(handle: (folder: string) => Promise<void> = async () => {}) {
    return batchConsumer({
      summary: 'Notes events',
      trigger: { batchesOf: ['folder.created', 'folder.deleted'] },
      repeatedBy: new JobKind<Failed>('note-again'),
      uses: {},
      timeoutSeconds: 5,
      async handle({ events }) {
        const failed: (typeof events)[number][] = []
        for (const event of events) {
          const { folderId, name } = event
          try {
            await handle(String(folderId))
            seen.push(`${folderId} ${name.slice('folder.'.length)}`)
          } catch {
            failed.push(event)
          }
        }
        return failed
      },
    })
  }

  it('gives a consumer the events that it wants, in order', async () => {
    const { table } = await background.start({ 'watch-things': changes() })
    await table.put(folder('a'))
    await table.put(folder('a', { name: 'A' }))
    await table.put({ pk: 'a', sk: 'OTHER' })
    await table.put(folder('a', { name: 'A', deleted: 1 }))
    await table.put(folder('b'))
    await until(() => seen.length === 3)
    assert.deepEqual(seen, ['a created', 'a deleted', 'b created'])
  })

  it('notices what other processes commit', async () => {
    await background.start({ 'watch-things': changes() })
    const other = openEmbeddedTable(embeddedLayout(background.directory).table)
    await other.put(folder('from elsewhere'))
    other.close()
    await until(() => seen.length === 1)
  })

  it('goes on after a restart with what was being handled, and with what was committed meanwhile', async () => {
    const first = await background.start({ 'watch-things': changes(() => new Promise(() => {})) })
    await first.table.put(folder('a'))
    await until(async () => (await first.table.readChanges(undefined, 1)).changes.length === 1)
    await background.stop()
    const between = openEmbeddedTable(embeddedLayout(background.directory).table)
    await between.put(folder('b'))
    between.close()
    await background.start({ 'watch-things': changes() })
    await until(() => seen.length === 2)
    assert.deepEqual(seen, ['a created', 'b created'])
  })

  it('has a job do again what a consumer fails on, and goes on with what comes later', async () => {
    let works = false
    const again = job({
      kind: new JobKind<Failed>('note-again'),
      summary: 'Notes events on which the consumer failed',
      uses: {},
      seconds: 5,
      async run({ input }) {
        if (!works) throw new Error('not yet')
        seen.push(...eventsToRepeat(input, ['folder.created']).map(({ folderId }) => `${folderId} again`))
        return undefined
      },
    })
    const consumer = changes(async (name) => {
      if (name === 'a') throw new Error('never')
    })
    const { table, waker } = await background.start({ 'watch-things': consumer, 'note-again': again })
    await table.put(folder('a'))
    await table.put(folder('b'))
    await until(() => {
      background.advance(1)
      return background.log.some((line) => line.includes('event failed'))
    })
    // What start-jobs does.
    await waker.wake('note-again')
    await until(() => background.log.some((line) => line.includes('job failed') && line.includes('not yet')))
    assert.deepEqual(seen, ['b created'])
    works = true
    background.advance(60)
    await until(() => seen.length === 2)
    assert.deepEqual(seen, ['b created', 'a again'])
  })

  it('runs schedules by the clock, also over restarts', async () => {
    const hourly = schedule({
      summary: 'Notes that it ran',
      trigger: { everyMinutes: 60 },
      uses: {},
      timeoutSeconds: 5,
      async handle() {
        seen.push('ran')
      },
    })
    await background.start({ hourly })
    await until(() => seen.length === 1)
    background.advance(61 * 60)
    await until(() => seen.length === 2)
    await background.stop()
    const { table } = await background.start({ hourly })
    background.advance(59 * 60)
    // A schedule of every minute has run since then, so the clock has been looked at.
    const lookedAt = background.clock.now()
    await until(async () => Number((await table.get({ pk: 'SCHEDULE#expire-items', sk: 'SCHEDULE' }))?.time) >= lookedAt)
    assert.equal(seen.length, 2)
    background.advance(60)
    await until(() => seen.length === 3)
  })

  it('removes what has had its time: items, changes that all consumers have passed', async () => {
    const { table } = await background.start({ 'watch-things': changes() })
    await table.put({ ...folder('gone'), ttl: Math.floor(background.clock.now() / 1000) + 60 })
    await table.put({ ...folder('stays'), ttl: Math.floor(background.clock.now() / 1000) + 1e7 })
    await until(() => seen.length === 2)
    background.advance(86_400)
    await until(async () => (await table.get(keyOf('gone'))) === undefined)
    assert.ok(await table.get(keyOf('stays')))
    // The position is saved after changes that tell of something.
    await table.put(folder('later'))
    await until(() => seen.length === 3)
    await until(async () => {
      background.advance(600)
      return !(await table.readChanges(undefined, 1)).changes.some(({ key }) => key.pk === keyOf('gone').pk)
    })
  })
})
