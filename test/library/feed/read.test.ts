import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { eventsOf } from '../../../shared/library/events/events-of.ts'
import { appendEvents } from '../../../shared/library/feed/append.ts'
import { type FeedPage, type FeedQuery, readFeed } from '../../../shared/library/feed/read.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { toUserId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { TestClock } from '../../support/test-clock.ts'

const DAY = 86_400

/** A company whose admin makes folders, of which its feed tells. */
async function openFeed() {
  const clock = new TestClock()
  const library = { ...openTestTable(clock), settings: { eventDays: 90 }, log: jsonLog(() => undefined) }
  const { admin } = await openTestCompany(library)
  const request = requestOf(library, admin)
  let position: string | undefined
  /** Tells of all that is committed. */
  async function tellAll(): Promise<void> {
    const { changes, position: behind } = await library.table.readChanges(position, 10_000)
    position = behind
    const events = changes.flatMap((change) => eventsOf(change).map((event, n) => ({ ...event, id: `${change.id}.${n}` })))
    assert.deepEqual(await appendEvents(library, events), [])
    // The same again, as after a crash.
    assert.deepEqual(await appendEvents(library, events), [])
  }
  async function made(name: string): Promise<number> {
    const { folderId } = await createFolder(request, { name, parent: null })
    await tellAll()
    return folderId
  }
  const search = (query: Partial<FeedQuery>) => readFeed(request, { limit: 1000, ...query })
  const read = (cursor?: string, limit = 1000) => search({ cursor, limit })
  await tellAll()
  return { admin, clock, library, made, read, search }
}

const foldersOf = ({ events }: FeedPage) => events.map(({ data }) => data.folderId)

describe('a feed', () => {
  test('forgets what is too old: a cursor before that is gone, one at its end is not', async () => {
    const { clock, made, read } = await openFeed()
    const start = (await read('now')).cursor
    await made('Old')
    const behindOld = (await read('now')).cursor
    clock.advance(50 * DAY)
    const young = await made('Young')
    clock.advance(40 * DAY + 1)
    await assert.rejects(read(start), { name: 'Gone', code: 'cursor_expired' })
    for (const cursor of [undefined, behindOld]) {
      const { events, more } = await read(cursor)
      assert.deepEqual([events.map(({ data }) => data.folderId), more], [[young], false])
    }
    const end = (await read('now')).cursor
    clock.advance(90 * DAY)
    await assert.rejects(read(behindOld), { code: 'cursor_expired' })
    for (const cursor of [undefined, end]) assert.deepEqual(await read(cursor).then(({ events, cursor }) => [events, cursor]), [[], end])
    const next = await made('Next')
    assert.deepEqual(
      (await read(end)).events.map(({ data }) => data.folderId),
      [next],
    )
  })

  test('is read back from its newest event, to the oldest that is kept', async () => {
    const { clock, library, made, read, search } = await openFeed()
    for (const name of ['One', 'Two', 'Three']) await made(name)
    clock.advance(89 * DAY)
    const kept = [await made('Four'), await made('Five'), await made('Six')]
    clock.advance(2 * DAY)
    const { companyId } = await read()
    // Of what has expired some is removed already.
    await library.table.delete({ pk: `EVENTS#${companyId}`, sk: '000000000002' })
    assert.deepEqual(foldersOf(await search({ order: 'newest' })), kept.toReversed())
    const pages = [await search({ order: 'newest', cursor: 'now', limit: 2 })]
    while (pages.at(-1)!.more) pages.push(await search({ order: 'newest', cursor: pages.at(-1)!.cursor, limit: 2 }))
    assert.deepEqual(pages.flatMap(foldersOf), kept.toReversed())
    // A cursor is a place between two events: what was read back can be followed from there.
    assert.deepEqual(foldersOf(await search({ cursor: pages[0]!.cursor })), kept.slice(1))
    clock.advance(90 * DAY)
    const { events, more } = await search({ order: 'newest', cursor: pages[0]!.cursor })
    assert.deepEqual([events, more], [[], false])
    await assert.rejects(search({ order: 'newest', cursor: 'nonsense' }), { name: 'Invalid' })
  })

  test.each(['oldest', 'newest'] as const)('gives the %s events of a time and of people', async (order) => {
    const { admin, clock, made, search } = await openFeed()
    const ids: number[] = []
    const times: number[] = []
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
      clock.advance(DAY)
      times.push(clock.now())
      ids.push(await made(name))
    }
    const inOrder = (ids: number[]) => (order === 'newest' ? ids.toReversed() : ids)
    const all = async (query: Parameters<typeof search>[0]) => {
      const found: (number | undefined)[] = []
      for (
        let page = await search({ order, limit: 1, ...query });
        ;
        page = await search({ order, limit: 1, ...query, cursor: page.cursor })
      ) {
        found.push(...foldersOf(page))
        if (!page.more) return found
      }
    }
    assert.deepEqual(await all({ from: times[1]!, to: times[3]! }), inOrder(ids.slice(1, 4)))
    assert.deepEqual(await all({ from: times[3]! }), inOrder(ids.slice(3)))
    assert.deepEqual(await all({ from: times[0]!, to: times[1]! - 1 }), inOrder(ids.slice(0, 1)))
    assert.deepEqual(await all({ from: times[4]! + DAY * 1000 }), [])
    assert.deepEqual(await all({ userIds: [admin.user.userId], from: times[0]! }), inOrder(ids))
    assert.deepEqual(await all({ userIds: [toUserId(1)] }), [])
  })
})
