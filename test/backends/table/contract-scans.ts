import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { InvalidCursor, type Item } from '../../../shared/backends/table/port.ts'
import { eventually, type Subject } from './contract.ts'

/** Reading everything. Other cases write at the same time, so each looks at its own partitions. */
export function scansContract(subject: Subject): void {
  const everything = async (limit?: number): Promise<Item[]> => {
    const items: Item[] = []
    let cursor: string | undefined
    do {
      const page = await subject.scanner.scan({ ...(limit && { limit }), ...(cursor && { cursor }) })
      assert.ok(limit === undefined || page.items.length <= limit)
      items.push(...page.items)
      cursor = page.cursor
    } while (cursor)
    return items
  }
  const addresses = (items: Item[]) => items.map(({ pk, sk }) => `${pk} ${sk}`)

  describe('scans', () => {
    test('everything comes once, whole, the items of a partition together and in order', async () => {
      const { table } = subject
      const pks = Array.from({ length: 12 }, () => subject.partition())
      const sks = ['10', '9', 'B', 'a', 'é', '\uffee', '\u{1f600}']
      for (const sk of sks.toReversed()) await Promise.all(pks.map((pk) => table.put({ pk, sk, map: { list: [null, true] } })))
      for (const limit of [undefined, 5]) {
        await eventually(async () => {
          const mine = (await everything(limit)).filter(({ pk }) => pks.includes(pk))
          const order = [...new Set(mine.map(({ pk }) => pk))]
          assert.deepEqual(
            addresses(mine),
            order.flatMap((pk) => sks.map((sk) => `${pk} ${sk}`)),
          )
          assert.equal(order.length, pks.length)
          assert.deepEqual(mine[0]?.map, { list: [null, true] })
        })
      }
    })

    test('an item that nobody touches comes, whatever is written and deleted around it', async () => {
      const { table } = subject
      const [kept, changing] = [subject.partition(), subject.partition()]
      const sks = Array.from({ length: 20 }, (_, n) => `item ${String(n).padStart(2, '0')}`)
      await Promise.all(sks.map((sk) => table.put({ pk: kept, sk })))
      let cursor: string | undefined
      const seen: string[] = []
      do {
        await table.put({ pk: changing, sk: `new ${seen.length}` })
        const page = await subject.scanner.scan({ limit: 50, ...(cursor && { cursor }) })
        for (const { pk, sk } of page.items) if (pk === kept) seen.push(sk)
        const last = page.items.at(-1)
        if (last?.pk === changing) await table.delete(last)
        cursor = page.cursor
      } while (cursor)
      assert.deepEqual(seen, sks)
    })

    test('only a cursor of a scan is taken', async () => {
      const { table, scanner } = subject
      const pk = subject.partition()
      await Promise.all(['a', 'b'].map((sk) => table.put({ pk, sk })))
      const { cursor: ofQuery } = await table.query({ pk, limit: 1 })
      const { cursor: ofScan } = await scanner.scan({ limit: 1 })
      const forged = Buffer.from('["scan",""]').toString('base64url')
      for (const cursor of ['', 'x', '!', forged, ofQuery!]) await assert.rejects(scanner.scan({ cursor }), InvalidCursor, cursor)
      await assert.rejects(table.query({ pk, cursor: ofScan! }), InvalidCursor)
      await assert.rejects(scanner.scan({ limit: 0 }), TypeError)
    })
  })
}
