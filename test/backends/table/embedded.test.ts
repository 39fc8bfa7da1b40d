import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { TableUnavailable } from '../../../shared/backends/table/port.ts'
import { puts } from '../../support/puts.ts'
import { tableContract } from './contract.ts'

const temporaryFolder = () => mkdtemp(join(tmpdir(), 'table-'))

tableContract('the embedded table', async () => {
  const folder = await temporaryFolder()
  const table = openEmbeddedTable(join(folder, 'table.db'))
  return {
    table,
    scanner: table,
    changes: table,
    async close() {
      table.close()
      await rm(folder, { recursive: true })
    },
  }
})

describe('the embedded table', () => {
  let folder = ''
  let files = 0
  const newFile = () => join(folder, `${files++}.db`)
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** A new table, which the test's end closes. */
  function opened() {
    const path = newFile()
    const table = openEmbeddedTable(path)
    onTestFinished(() => table.close())
    return { table, path }
  }

  test('listeners hear of every commit that changed something until they stop listening', async () => {
    const { table } = opened()
    const heard: number[] = []
    let writes = 0
    const stop = table.onCommit(() => heard.push(writes))
    const doing = async (write: () => Promise<unknown>) => {
      writes++
      await write().catch(() => {})
      await new Promise(setImmediate)
    }
    const key = { pk: 'a', sk: 'a' }
    await doing(() => table.put({ ...key, n: 1 }))
    await doing(() => table.put({ ...key, n: 1 }))
    await doing(() => table.put({ ...key, n: 2 }, { pk: { exists: false } }))
    await doing(() => table.transact({ a: { put: { ...key, n: 3 } }, b: { put: { pk: 'b', sk: 'b', ttl: 10 } } }))
    await doing(() => table.expire(11_000))
    await doing(() => table.expire(11_000))
    stop()
    await doing(() => table.delete(key))
    assert.deepEqual(heard, [1, 4, 5])
  })

  test('items past their time to live disappear with a change that says so, others stay', async () => {
    const { table } = opened()
    const pk = 'a'
    await table.put({ pk, sk: 'past', ttl: 1000, n: 1 })
    await table.put({ pk, sk: 'now', ttl: 2000 })
    await table.put({ pk, sk: 'future', ttl: 3000 })
    await table.put({ pk, sk: 'never', ttl: 'no time' })
    await table.put({ pk, sk: 'prolonged', ttl: 1000 })
    await table.update({ pk, sk: 'prolonged' }, { set: { ttl: 3000 } })
    await table.put({ pk, sk: 'for good now', ttl: 1000 })
    await table.update({ pk, sk: 'for good now' }, { remove: ['ttl'] })
    const { position } = await table.readChanges(undefined, 100)
    assert.equal(await table.expire(2_000_000), 1)
    const { items } = await table.query({ pk })
    assert.deepEqual(
      items.map(({ sk }) => sk),
      ['for good now', 'future', 'never', 'now', 'prolonged'],
    )
    const { changes } = await table.readChanges(position, 100)
    assert.deepEqual(
      changes.map(({ id: _, ...change }) => change),
      [{ key: { pk, sk: 'past' }, before: { pk, sk: 'past', ttl: 1000, n: 1 }, expired: true }],
    )
  })

  test('changes are forgotten once every consumer has passed them, and later ones never reuse their place', async () => {
    const { table } = opened()
    for (let n = 0; n < 4; n++) await table.put({ pk: 'a', sk: `item ${n}` })
    const { position: second = '' } = await table.readChanges(undefined, 2)
    const { position: fourth = '' } = await table.readChanges(undefined, 10)
    await table.savePosition('fast', fourth)
    assert.equal(await table.trimChanges(['fast', 'never started']), 0)
    await table.savePosition('slow', second)
    assert.equal(await table.trimChanges(['fast', 'slow']), 2)
    assert.equal((await table.readChanges(undefined, 10)).changes.length, 2)
    await table.savePosition('slow', fourth)
    assert.equal(await table.trimChanges(['fast', 'slow']), 2)
    assert.deepEqual(await table.readChanges(fourth, 10), { changes: [], position: fourth })
    await table.put({ pk: 'a', sk: 'later' })
    assert.equal((await table.readChanges(fourth, 10)).changes[0]?.key.sk, 'later')
  })

  /** How often other work has its turn until this is done. */
  async function turnsDuring(work: Promise<unknown>): Promise<number> {
    let turns = 0
    let done = false
    void work.finally(() => {
      done = true
    })
    for (; !done; turns++) await new Promise(setImmediate)
    return turns
  }

  test('forgetting changes, expiring items and reading many of either lets requests in between', async () => {
    const { table } = opened()
    // Long enough to take well over the longest time without a turn, on any machine.
    const numbers = Array.from({ length: 300 }, (_, n) => n)
    const many = Array.from({ length: 4_500 }, (_, n) => ({ pk: 'a', sk: `${n}`, ttl: 10, numbers }))
    for (let from = 0; from < many.length; from += 100) await table.transact(puts(many.slice(from, from + 100)))
    assert.ok((await turnsDuring(table.getMany(many))) >= 2)
    const readAll = async () => {
      let position: string | undefined
      for (let count = 1; count > 0; ) {
        const batch = await table.readChanges(position, 100)
        position = batch.position
        count = batch.changes.length
      }
    }
    assert.ok((await turnsDuring(readAll())) >= 2)
    let expired = 0
    const expiring = table.expire(20_000).then((count) => {
      expired = count
    })
    assert.ok((await turnsDuring(expiring)) >= 4)
    assert.equal(expired, 4_500)
    const { position = '' } = await table.readChanges(undefined, 1)
    const last = String(Number(position) + 8_000)
    await table.savePosition('reader', last)
    let trimmed = 0
    const trimming = table.trimChanges(['reader']).then((count) => {
      trimmed = count
    })
    assert.ok((await turnsDuring(trimming)) >= 8)
    assert.equal(trimmed, 8_001)
    assert.equal((await table.readChanges(undefined, 1)).changes[0]?.id, String(Number(last) + 1))
  })

  test('a database that fails is reported as unavailable, and a write that fails half-way leaves nothing', async () => {
    const { table, path } = opened()
    const breakTable = (name: string) => {
      const other = new DatabaseSync(path)
      other.exec(`DROP TABLE ${name}`)
      other.close()
    }
    breakTable('changes')
    await assert.rejects(table.put({ pk: 'a', sk: 'a' }), TableUnavailable)
    assert.equal(await table.get({ pk: 'a', sk: 'a' }), undefined)
    breakTable('items')
    await assert.rejects(table.get({ pk: 'a', sk: 'a' }), TableUnavailable)
    await assert.rejects(table.query({ pk: 'a' }), TableUnavailable)
  })
})
