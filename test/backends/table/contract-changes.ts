import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Change, ConditionFailed } from '../../../shared/backends/table/port.ts'
import { eventually, type Subject } from './contract.ts'

/** The change stream. */
export function changesContract(subject: Subject): void {
  /** Changes of one partition from the oldest kept one, once at least so many are to be seen; redelivered ones once. */
  const changesOf = async (pk: string, count: number): Promise<Change[]> => {
    const seen = new Map<string, Change>()
    let position: string | undefined
    await eventually(async () => {
      for (;;) {
        const batch = await subject.changes.readChanges(position, 50)
        position = batch.position
        if (batch.changes.length === 0) break
        for (const change of batch.changes) if (change.key.pk === pk) seen.set(change.id, change)
      }
      assert.ok(seen.size >= count, `${seen.size} of ${count} changes`)
    })
    return [...seen.values()]
  }

  describe('changes', () => {
    test('are told in order, with the item before and after', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      await table.put({ ...key, n: 1, map: { list: ['x'] } })
      await table.update(key, { add: { n: 1 }, remove: ['map'] })
      await table.put({ ...key, n: 3 })
      await table.delete(key)
      await table.put({ ...key, n: 4 })
      const changes = await changesOf(key.pk, 5)
      assert.deepEqual(
        changes.map(({ id: _, ...change }) => change),
        [
          { key, after: { ...key, n: 1, map: { list: ['x'] } } },
          { key, before: { ...key, n: 1, map: { list: ['x'] } }, after: { ...key, n: 2 } },
          { key, before: { ...key, n: 2 }, after: { ...key, n: 3 } },
          { key, before: { ...key, n: 3 } },
          { key, after: { ...key, n: 4 } },
        ],
      )
    })

    test('of a transaction are all told, of a failed write or a check none', async () => {
      const { table } = subject
      const pk = subject.partition()
      await table.put({ pk, sk: 'checked' })
      await assert.rejects(table.put({ pk, sk: 'checked', n: 1 }, { pk: { exists: false } }), ConditionFailed)
      await assert.rejects(
        table.transact({ a: { put: { pk, sk: 'a' } }, b: { check: { pk, sk: 'b' }, if: { pk: { exists: true } } } }),
        ConditionFailed,
      )
      await table.delete({ pk, sk: 'never there' })
      await table.transact({
        c: { put: { pk, sk: 'c' } },
        d: { put: { pk, sk: 'd' } },
        checked: { check: { pk, sk: 'checked' }, if: { pk: { exists: true } } },
      })
      await table.put({ pk, sk: 'last' })
      const changes = await changesOf(pk, 4)
      assert.deepEqual(changes.map(({ key }) => key.sk).sort(), ['c', 'checked', 'd', 'last'])
    })

    test('are not told of a write that leaves the item as it was', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      await table.put({ ...key, n: 1 })
      await table.put({ ...key, n: 1 })
      await table.update(key, { set: { n: 1 } })
      await table.update(key, { set: { n: 2 } })
      const changes = await changesOf(key.pk, 2)
      assert.deepEqual(
        changes.map(({ after }) => after?.n),
        [1, 2],
      )
    })

    test('are read on from a position, at most so many at once', async () => {
      const { table } = subject
      const pk = subject.partition()
      for (let n = 0; n < 5; n++) await table.put({ pk, sk: `item ${n}` })
      await changesOf(pk, 5)
      const sks: string[] = []
      let position: string | undefined
      for (;;) {
        const batch = await subject.changes.readChanges(position, 2)
        assert.ok(batch.changes.length <= 2)
        if (batch.changes.length === 0) break
        for (const { key } of batch.changes) if (key.pk === pk) sks.push(key.sk)
        position = batch.position
      }
      assert.deepEqual(sks, ['item 0', 'item 1', 'item 2', 'item 3', 'item 4'])
      await table.put({ pk, sk: 'item 5' })
      await eventually(async () => {
        const { changes } = await subject.changes.readChanges(position, 100)
        assert.deepEqual(
          changes.filter(({ key }) => key.pk === pk).map(({ key }) => key.sk),
          ['item 5'],
        )
      })
    })
  })
}
