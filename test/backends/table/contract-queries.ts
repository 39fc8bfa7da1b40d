import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { InvalidCursor, type Item, type Query } from '../../../shared/backends/table/port.ts'
import { eventually, everyPage, type Subject } from './contract.ts'

/** Pages of a partition, and indexes. */
export function queriesContract(subject: Subject): void {
  const filled = async (...sks: string[]) => {
    const pk = subject.partition()
    await Promise.all(sks.map((sk) => subject.table.put({ pk, sk })))
    return pk
  }
  const sksOf = (items: Item[]) => items.map(({ sk }) => sk)

  describe('queries', () => {
    test('a partition comes in order of the sort keys, or the other way round', async () => {
      const pk = await filled('b', 'a', 'c', 'B', '10', '9')
      const { items, cursor } = await subject.table.query({ pk, consistent: true })
      assert.deepEqual(sksOf(items), ['10', '9', 'B', 'a', 'b', 'c'])
      assert.equal(cursor, undefined)
      const backwards = await subject.table.query({ pk, consistent: true, descending: true })
      assert.deepEqual(sksOf(backwards.items), ['c', 'b', 'a', 'B', '9', '10'])
    })

    test('beginsWith takes the keys with that prefix and no others', async () => {
      const pk = await filled('FOLDER', 'FOLDER#', 'FOLDER#1', 'FOLDER#\u{10ffff}x', 'FOLDER$', '\ud7ffa', '\ue000', '\u{10ffff}b', 'a%b')
      const begins = async (prefix: string) =>
        sksOf((await subject.table.query({ pk, sk: { beginsWith: prefix }, consistent: true })).items)
      assert.deepEqual(await begins('FOLDER#'), ['FOLDER#', 'FOLDER#1', 'FOLDER#\u{10ffff}x'])
      assert.deepEqual(await begins('FOLDER#\u{10ffff}'), ['FOLDER#\u{10ffff}x'])
      assert.deepEqual(await begins('\ud7ff'), ['\ud7ffa'])
      assert.deepEqual(await begins('\u{10ffff}'), ['\u{10ffff}b'])
      assert.deepEqual(await begins('a%'), ['a%b'])
      assert.equal((await begins('')).length, 9)
    })

    test('from and to are included, either may be missing', async () => {
      const pk = await filled('a', 'b', 'c', 'd')
      const range = async (sk: Query['sk']) => sksOf((await subject.table.query({ pk, sk, consistent: true })).items).join('')
      assert.equal(await range({ from: 'b', to: 'c' }), 'bc')
      assert.equal(await range({ from: 'b' }), 'bcd')
      assert.equal(await range({ to: 'b' }), 'ab')
      assert.equal(await range({ from: 'c', to: 'b' }), '')
      assert.equal(await range({ from: '', to: 'b' }), 'ab')
      assert.equal(await range({}), 'abcd')
    })

    test('a limit makes pages that together are the whole, in either direction and within a range', async () => {
      const { table } = subject
      const sks = Array.from({ length: 25 }, (_, n) => `item ${String(n).padStart(2, '0')}`)
      const pk = await filled(...sks)
      const first = await table.query({ pk, limit: 10, consistent: true })
      assert.deepEqual(sksOf(first.items), sks.slice(0, 10))
      assert.ok(first.cursor)
      const all = await everyPage(table, { pk, limit: 10, consistent: true })
      assert.deepEqual(sksOf(all), sks)
      const backwards = await everyPage(table, { pk, limit: 7, consistent: true, descending: true })
      assert.deepEqual(sksOf(backwards), sks.toReversed())
      const range = await everyPage(table, { pk, limit: 2, consistent: true, sk: { from: 'item 05', to: 'item 11' } })
      assert.deepEqual(sksOf(range), sks.slice(5, 12))
      const prefix = await everyPage(table, { pk, limit: 3, consistent: true, sk: { beginsWith: 'item 1' }, descending: true })
      assert.deepEqual(sksOf(prefix), sks.slice(10, 20).toReversed())
    })

    test('more than 1 MB of data comes in several pages, everything once', async () => {
      const { table } = subject
      const pk = subject.partition()
      const sks = Array.from({ length: 12 }, (_, n) => `item ${String(n).padStart(2, '0')}`)
      await Promise.all(sks.map((sk) => table.put({ pk, sk, text: 'x'.repeat(200_000) })))
      const first = await table.query({ pk, consistent: true })
      assert.ok(first.cursor && first.items.length < sks.length, `a first page of ${first.items.length} items`)
      const items = await everyPage(table, { pk, consistent: true })
      assert.deepEqual(sksOf(items), sks)
    })

    test('a cursor is good only for its own query', async () => {
      const { table } = subject
      const pk = await filled('a', 'b', 'c')
      const { cursor = '' } = await table.query({ pk, limit: 1 })
      const others: Query[] = [
        { pk: `${pk} other`, cursor },
        { pk, cursor, descending: true },
        { pk, cursor, sk: { beginsWith: 'a' } },
        { pk, cursor, index: 'pointersByFolder' },
        ...['', 'x', '!', 'W10', cursor.slice(0, -4), `${cursor}AAAA`, Buffer.from('["x","y"]').toString('base64url')].map((text) => ({
          pk,
          cursor: text,
        })),
      ]
      for (const query of others) await assert.rejects(table.query(query), InvalidCursor, JSON.stringify(query))
    })
  })

  describe('indexes', () => {
    const page = async (query: Query) => (await subject.table.query(query)).items

    test('an index yields keys only, in order of its sort key, across partitions', async () => {
      const { table } = subject
      const folderKey = subject.partition()
      const [one, two] = [subject.partition(), subject.partition()]
      const entry = (pk: string, mediaKey: string) => ({ pk, sk: 'pointer', folderKey, mediaKey })
      await table.put({ ...entry(one, 'MEDIA#2'), payload: 'x' })
      await table.put({ ...entry(two, 'MEDIA#1'), payload: 'x', ttl: 9_999_999_999 })
      await eventually(async () => {
        assert.deepEqual(await page({ pk: folderKey, index: 'pointersByFolder' }), [entry(two, 'MEDIA#1'), entry(one, 'MEDIA#2')])
      })
      assert.deepEqual(await page({ pk: folderKey, index: 'pointersByFolder', descending: true }), [
        entry(one, 'MEDIA#2'),
        entry(two, 'MEDIA#1'),
      ])
      assert.deepEqual(await page({ pk: folderKey, index: 'pointersByFolder', sk: { beginsWith: 'MEDIA#2' } }), [entry(one, 'MEDIA#2')])
      assert.deepEqual(await page({ pk: folderKey, index: 'pointersByFolder', sk: { to: 'MEDIA#1' } }), [entry(two, 'MEDIA#1')])
    })

    test('an item moves within an index, leaves it and comes back', async () => {
      const { table } = subject
      const [here, there] = [subject.partition(), subject.partition()]
      const key = { pk: subject.partition(), sk: 'a' }
      const expect = (inHere: string[], inThere: string[]) =>
        eventually(async () => {
          assert.deepEqual(
            (await page({ pk: here, index: 'changeFeed' })).map((item) => item.changedAt),
            inHere,
          )
          assert.deepEqual(
            (await page({ pk: there, index: 'changeFeed' })).map((item) => item.changedAt),
            inThere,
          )
        })
      await table.put({ ...key, feedKey: here, changedAt: '1' })
      await expect(['1'], [])
      await table.update(key, { set: { changedAt: '2' } })
      await expect(['2'], [])
      await table.update(key, { set: { feedKey: there } })
      await expect([], ['2'])
      await table.update(key, { remove: ['feedKey'] })
      await expect([], [])
      await table.transact({ back: { update: key, changes: { set: { feedKey: here } } } })
      await expect(['2'], [])
      await table.delete(key)
      await expect([], [])
    })

    test('an index is read page by page, also where sort keys are equal', async () => {
      const { table } = subject
      const feedKey = subject.partition()
      const pks = Array.from({ length: 23 }, () => subject.partition())
      await Promise.all(pks.map((pk, n) => table.put({ pk, sk: 'a', feedKey, changedAt: `2026-01-0${1 + (n % 2)}` })))
      for (const descending of [false, true])
        await eventually(async () => {
          const items = await everyPage(table, { pk: feedKey, index: 'changeFeed', limit: 4, descending })
          assert.deepEqual(items.map(({ pk }) => pk).sort(), pks.toSorted())
          const days = items.map(({ changedAt }) => changedAt as string)
          assert.deepEqual(days, descending ? days.toSorted().reverse() : days.toSorted())
        })
    })
  })
}
