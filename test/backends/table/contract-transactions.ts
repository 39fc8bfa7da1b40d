import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ConditionFailed, type Operations, WriteConflict } from '../../../shared/backends/table/port.ts'
import { puts } from '../../support/puts.ts'
import type { Subject } from './contract.ts'

/** All or nothing. */
export function transactionsContract(subject: Subject): void {
  describe('transactions', () => {
    test('do every kind of operation at once', async () => {
      const { table } = subject
      const pk = subject.partition()
      await table.put({ pk, sk: 'updated', n: 1 })
      await table.put({ pk, sk: 'deleted' })
      await table.put({ pk, sk: 'checked', n: 1 })
      await table.transact({
        put: { put: { pk, sk: 'put', text: 'x', gone: undefined }, if: { pk: { exists: false } } },
        updated: { update: { pk, sk: 'updated' }, changes: { set: { text: 'y' }, add: { n: 1 } }, if: { n: { below: 2 } } },
        made: { update: { pk, sk: 'made' }, changes: { add: { n: 1 } } },
        deleted: { delete: { pk, sk: 'deleted' }, if: { pk: { exists: true } } },
        neverThere: { delete: { pk, sk: 'never there' } },
        checked: { check: { pk, sk: 'checked' }, if: { n: { equals: 1 } } },
      })
      assert.deepEqual((await table.query({ pk, consistent: true })).items, [
        { pk, sk: 'checked', n: 1 },
        { pk, sk: 'made', n: 1 },
        { pk, sk: 'put', text: 'x' },
        { pk, sk: 'updated', n: 2, text: 'y' },
      ])
    })

    test('that fail leave nothing and tell by name which conditions failed', async () => {
      const { table } = subject
      const pk = subject.partition()
      await table.put({ pk, sk: 'b', n: 1 })
      const operations: Operations = {
        unconditional: { put: { pk, sk: 'a' } },
        outdated: { update: { pk, sk: 'b' }, changes: { add: { n: 1 } }, if: { n: { equals: 7 } } },
        met: { delete: { pk, sk: 'b2' }, if: { pk: { exists: false } } },
        missing: { check: { pk, sk: 'c' }, if: { pk: { exists: true } } },
      }
      await assert.rejects(table.transact(operations), (error) => {
        assert.ok(error instanceof ConditionFailed)
        assert.deepEqual(
          Object.keys(operations).filter((name) => error.failed(name)),
          ['outdated', 'missing'],
        )
        return true
      })
      assert.deepEqual((await table.query({ pk, consistent: true })).items, [{ pk, sk: 'b', n: 1 }])
    })

    test('that race with optimistic conditions: exactly one of each round wins, and its whole transaction is there', async () => {
      const { table } = subject
      const pk = subject.partition()
      await table.put({ pk, sk: 'tree', version: 0 })
      for (let version = 0; version < 5; version++) {
        const attempts = await Promise.allSettled(
          Array.from({ length: 6 }, (_, writer) =>
            table.transact({
              tree: {
                update: { pk, sk: 'tree' },
                changes: { set: { version: version + 1, writer } },
                if: { version: { equals: version } },
              },
              folder: { put: { pk, sk: `folder ${version}`, writer } },
            }),
          ),
        )
        assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1)
        for (const attempt of attempts)
          if (attempt.status === 'rejected') assert.ok(attempt.reason instanceof ConditionFailed || attempt.reason instanceof WriteConflict)
        const [tree, folder] = await table.getMany([
          { pk, sk: 'tree' },
          { pk, sk: `folder ${version}` },
        ])
        assert.equal(tree?.version, version + 1)
        assert.equal(folder?.writer, tree?.writer)
      }
    })

    test('hold 100 operations', async () => {
      const { table } = subject
      const pk = subject.partition()
      await table.transact(puts(items(pk, 100, 20_000)))
      assert.equal((await table.getMany(Array.from({ length: 100 }, (_, n) => ({ pk, sk: `item ${n}` })))).length, 100)
    })

    test('that no table takes are a TypeError and do nothing', async () => {
      const { table } = subject
      const pk = subject.partition()
      await table.put({ pk, sk: 'text', text: 'x' })
      const good = { put: { pk, sk: 'a' } }
      const wrong: Operations[] = [
        {},
        puts(items(pk, 101, 1)),
        puts(items(pk, 15, 300_000)),
        { good, sameItem: { delete: { pk, sk: 'a' } } },
        { good, checksNothing: { check: { pk, sk: 'b' }, if: {} } },
        { good, hasNoKey: { put: { pk, sk: '' } } },
        { good, changesNothing: { update: { pk, sk: 'b' }, changes: {} } },
        { good, addsToText: { update: { pk, sk: 'text' }, changes: { add: { text: 1 } } } },
      ]
      for (const [position, operations] of wrong.entries()) await assert.rejects(table.transact(operations), TypeError, `case ${position}`)
      assert.deepEqual((await table.query({ pk, consistent: true })).items, [{ pk, sk: 'text', text: 'x' }])
    })
  })
}

const items = (pk: string, count: number, bytes: number) =>
  Array.from({ length: count }, (_, n) => ({ pk, sk: `item ${n}`, text: 'x'.repeat(bytes) }))
