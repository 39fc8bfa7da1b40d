import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'vitest'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedTable } from '../../../../shared/backends/table/embedded.ts'
import { changeConsumer, schedule } from '../../../../shared/runtime/consumer.ts'
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
    return changeConsumer({
      summary: 'Notes events',
      trigger: { events: ['folder.created', 'folder.deleted'] },
      uses: {},
      timeoutSeconds: 5,
      async handle({ event }) {
        const { folderId, name } = event
        await handle(String(folderId))
        seen.push(`${folderId} ${name.slice('folder.'.length)}`)
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

  it('tries a failed change again, before any later one', async () => {
    let failures = 1
    const { table } = await background.start({
      'watch-things': changes(async (pk) => {
        if (pk === 'a' && failures-- > 0) throw new Error('not yet')
      }),
    })
    await table.put(folder('a'))
    await table.put(folder('b'))
    await until(() => seen.length === 2)
    assert.deepEqual(seen, ['a created', 'b created'])
    assert.ok(background.log.some((line) => line.includes('change failed') && line.includes('not yet')))
  })

  it('tries a change that failed too often again after its pause, and at the next start', async () => {
    let works = false
    const consumer = changes(async () => {
      if (!works) throw new Error('the disk is full')
    })
    const first = await background.start({ 'watch-things': consumer })
    const change = (name: string) => ({ id: name, key: keyOf(name), after: folder(name) })
    await first.deadChanges.add('watch-things', change('a'), new Error('the disk is full'))
    background.advance(16 * 60)
    await until(() => first.deadChanges.count().nextRetry! > background.clock.now() + 14 * 60_000)
    assert.equal(first.deadChanges.count().count, 1)
    works = true
    background.advance(16 * 60)
    await until(() => first.deadChanges.count().count === 0)
    await first.deadChanges.add('watch-things', change('b'), new Error('the disk is full'))
    await background.stop()
    const second = await background.start({ 'watch-things': consumer })
    await until(() => second.deadChanges.count().count === 0)
    assert.deepEqual(seen, ['a created', 'b created'])
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
