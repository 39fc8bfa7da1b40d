import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type Condition, ConditionFailed } from '../../../shared/backends/table/port.ts'
import type { Subject } from './contract.ts'

/** A single write fails by the name of its kind. */
const failed = (kind: 'put' | 'update' | 'delete') => (error: unknown) => error instanceof ConditionFailed && error.failed(kind)

/** What each test means, and that of several writers one wins. */
export function conditionsContract(subject: Subject): void {
  describe('conditions', () => {
    const attributes = { n: 5, zero: 0, s: 'm', empty: '', nothing: null, list: [1], map: { a: 1 }, high: '\u{1f600}', lone: '\ud800' }
    const passing: Condition[] = [
      {},
      { n: { exists: true } },
      { none: { exists: false } },
      { n: { equals: 5 } },
      { s: { equals: 'm' } },
      { empty: { equals: '' } },
      { lone: { equals: '\ufffd' } },
      { nothing: { equals: null } },
      { n: { not: 6 } },
      { n: { not: '5' } },
      { none: { not: null } },
      { list: { not: 1 } },
      { n: { atLeast: 5 } },
      { zero: { atLeast: 0 } },
      { n: { below: 5.5 } },
      { s: { atLeast: 'm' } },
      { s: { below: 'ma' } },
      // By UTF-8 bytes; by UTF-16 units the order would be the other one.
      { high: { atLeast: '\uffee' } },
      { n: { equals: 5 }, s: { below: 'n' }, none: { exists: false } },
    ]
    const failing: Condition[] = [
      { n: { exists: false } },
      { none: { exists: true } },
      { n: { equals: 6 } },
      { n: { equals: '5' } },
      { none: { equals: null } },
      { nothing: { equals: false } },
      { constructor: { exists: true } },
      { n: { not: 5 } },
      { nothing: { not: null } },
      { n: { atLeast: 5.5 } },
      { n: { below: 5 } },
      { n: { below: 'z' } },
      { s: { atLeast: 1 } },
      { nothing: { below: 1 } },
      { high: { below: '\uffee' } },
      { n: { equals: 5 }, s: { equals: 'x' } },
    ]

    test('hold when every test passes', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      await table.put({ ...key, ...attributes })
      for (const condition of passing) {
        await table.update(key, { set: { touched: 1 } }, condition)
        await table.put({ ...key, ...attributes }, condition)
      }
    })

    test('fail when one test does not, and then nothing is written', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      await table.put({ ...key, ...attributes })
      for (const condition of failing) {
        const name = JSON.stringify(condition)
        await assert.rejects(table.put(key, condition), failed('put'), name)
        await assert.rejects(table.update(key, { set: { n: 0 } }, condition), failed('update'), name)
        await assert.rejects(table.delete(key, condition), failed('delete'), name)
      }
      assert.deepEqual(await table.get(key), { ...key, ...attributes, lone: '\ufffd' })
    })

    test('on an item that is not there only "does not exist" and "is not" pass', async () => {
      const { table } = subject
      const pk = subject.partition()
      for (const condition of [{ n: { exists: true } }, { n: { equals: 1 } }, { n: { atLeast: 0 } }, { n: { below: 9 } }] as Condition[]) {
        await assert.rejects(table.put({ pk, sk: 'a' }, condition), failed('put'))
        await assert.rejects(table.update({ pk, sk: 'a' }, { add: { n: 1 } }, condition), failed('update'))
        await assert.rejects(table.delete({ pk, sk: 'a' }, condition), failed('delete'))
      }
      await table.put({ pk, sk: 'b' }, { pk: { exists: false } })
      await table.update({ pk, sk: 'c' }, { set: { n: 1 } }, { n: { not: 1 } })
      await table.delete({ pk, sk: 'd' }, { n: { exists: false } })
    })

    test('of 20 writers that each want to be first exactly one is', async () => {
      const { table } = subject
      const key = { pk: subject.partition(), sk: 'a' }
      const attempts = await Promise.allSettled(
        Array.from({ length: 20 }, (_, writer) => table.put({ ...key, writer }, { pk: { exists: false } })),
      )
      const winners = attempts.flatMap(({ status }, writer) => (status === 'fulfilled' ? [writer] : []))
      assert.equal(winners.length, 1)
      assert.equal((await table.get(key))?.writer, winners[0])
      for (const attempt of attempts) if (attempt.status === 'rejected') assert.ok(failed('put')(attempt.reason), attempt.reason)
    })
  })
}
