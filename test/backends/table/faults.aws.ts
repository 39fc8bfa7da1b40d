import assert from 'node:assert/strict'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { dynamoClient, dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { dynamoScanner } from '../../../shared/backends/table/dynamodb-scan.ts'
import { ConditionFailed, type Key, type Table, TableUnavailable } from '../../../shared/backends/table/port.ts'
import { type FaultyEndpoint, faultyEndpoint } from '../../support/aws/faults/faulty-endpoint.ts'
import { tableContract } from './contract.ts'
import { everyFault, faultsThatDoNotShow, nothingButStaleReads, outage } from './faults.ts'
import { streamReader } from './stream-reader.ts'
import { makeTemporaryTable } from './temporary-table.ts'

const engine = process.env.AWS_ENDPOINT_URL_DYNAMODB
assert.ok(engine, 'AWS_ENDPOINT_URL_DYNAMODB names the emulator; npm run test:aws sets it')

/**
 * A table behind an endpoint with faults, made and removed past it.
 * @param requestTimeout milliseconds after which the client gives an answer up; many requests at once wait for each other, too
 */
async function openFaulty(requestTimeout: number) {
  const direct = dynamoClient()
  const { tableName, streamArn, remove } = await makeTemporaryTable(direct)
  const endpoint = await faultyEndpoint(engine!)
  const client = dynamoClient({ endpoint: endpoint.url, requestHandler: { requestTimeout, throwOnRequestTimeout: true } })
  const close = async () => {
    await remove()
    client.destroy()
    direct.destroy()
    await endpoint.close()
  }
  const [table, plain] = [dynamoTable({ tableName, client }), dynamoTable({ tableName, client: direct })]
  return { endpoint, table, plain, scanner: dynamoScanner({ tableName, client }), streamArn, close }
}

tableContract('the DynamoDB table under faults', async () => {
  const { endpoint, table, scanner, streamArn, close } = await openFaulty(7000)
  const streams = new DynamoDBStreamsClient()
  endpoint.follow(faultsThatDoNotShow('table contract'))
  return {
    table,
    scanner,
    changes: streamReader(streams, streamArn),
    async close() {
      assert.ok(endpoint.injected > 100, `${endpoint.injected} faults`)
      streams.destroy()
      await close()
    },
  }
})

/** How a write ended: it happened, its condition failed, or nobody knows. Whatever else it throws fails the test. */
type Ending = 'done' | 'failed' | 'unknown'

async function ending(write: Promise<unknown>): Promise<Ending> {
  try {
    await write
    return 'done'
  } catch (error) {
    if (error instanceof ConditionFailed) return 'failed'
    assert.ok(error instanceof TableUnavailable, String(error))
    return 'unknown'
  }
}

function countOf(endings: readonly Ending[], wanted: Ending): number {
  return endings.filter((ending) => ending === wanted).length
}

describe('the DynamoDB table when any request may fail in any way', () => {
  let table: Table
  let plain: Table
  let endpoint: FaultyEndpoint
  let close = async () => {}
  beforeAll(async () => {
    ;({ table, plain, endpoint, close } = await openFaulty(1000))
  })
  afterEach(() => endpoint.follow(undefined))
  afterAll(() => close())

  const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

  test('an increment that is confirmed is counted once, one that is not at most once', async () => {
    endpoint.follow(everyFault('increments'))
    const key = { pk: 'counter', sk: 'a' }
    const counts: number[] = []
    const increment = async () => counts.push((await table.update<Key & { n: number }>(key, { add: { n: 1 } })).n)
    const endings = await Promise.all(times(120, () => ending(increment())))
    const n = (await plain.get<Key & { n: number }>(key))?.n ?? 0
    const [done, unknown] = [countOf(endings, 'done'), countOf(endings, 'unknown')]
    assert.ok(done > 0 && unknown > 0 && done + unknown === endings.length, `${done} done, ${unknown} unknown`)
    assert.ok(n >= done && n <= done + unknown, `${n} counted, ${done} done, ${unknown} unknown`)
    assert.equal(new Set(counts).size, counts.length, 'each was told another count')
  })

  test('of writers that want to be first at most one is told that it was, and then it was', async () => {
    endpoint.follow(everyFault('first'))
    for (let round = 0; round < 10; round++) {
      const key = { pk: 'first', sk: String(round) }
      const endings = await Promise.all(times(8, (writer) => ending(table.put({ ...key, writer }, { pk: { exists: false } }))))
      const first = (await plain.get(key))?.writer as number
      assert.ok(countOf(endings, 'done') <= 1)
      assert.ok(endings[first] !== 'failed', `writer ${first} is first and was told that it is not`)
      if (endings.includes('done')) assert.equal(endings[first], 'done')
    }
  })

  test('optimistic writers that read again after a doubtful end lose no update and make none twice', async () => {
    endpoint.follow(everyFault('optimistic'))
    const key = { pk: 'optimistic', sk: 'a' }
    await plain.put({ ...key, version: 0, names: [] })
    const append = async (name: string): Promise<void> => {
      const item = await table.get<Key & { version: number; names: string[] }>(key)
      assert.ok(item)
      if (item.names.includes(name)) return
      const next = { ...item, version: item.version + 1, names: [...item.names, name] }
      if ((await ending(table.put(next, { version: { equals: item.version } }))) !== 'done') await append(name)
    }
    const names = times(12, (n) => `name ${String(n).padStart(2, '0')}`)
    await Promise.all(names.map(append))
    const item = await plain.get<Key & { version: number; names: string[] }>(key)
    assert.deepEqual(item?.names.toSorted(), names)
    assert.equal(item.version, names.length)
  })

  test('a transaction happens once and whole, however often it is sent', async () => {
    endpoint.follow(everyFault('transactions'))
    const accounts = times(6, (n) => ({ pk: 'accounts', sk: String(n) }))
    await Promise.all(accounts.map((key) => plain.put({ ...key, balance: 100 })))
    const transfer = (n: number) => {
      const [from, to] = [accounts[n % 6]!, accounts[(n * 5 + 1) % 6]!]
      return table.transact({
        from: { update: from, changes: { add: { balance: -1 } } },
        to: { update: to, changes: { add: { balance: 1 } } },
        transfer: { put: { pk: 'transfers', sk: String(n) }, if: { pk: { exists: false } } },
      })
    }
    // Two at a time, so that engines have conflicts of their own but not so many that a transaction's patience ends.
    const endings: Ending[] = []
    const numbers = times(40, (n) => n).filter((n) => n % 6 !== (n * 5 + 1) % 6)
    const waiting = numbers.values()
    const worker = async () => {
      for (const n of waiting) endings.push(await ending(transfer(n)))
    }
    await Promise.all([worker(), worker()])
    assert.equal(countOf(endings, 'done'), numbers.length)
    assert.equal((await plain.query({ pk: 'transfers', consistent: true })).items.length, numbers.length)
    const balances = (await plain.getMany<Key & { balance: number }>(accounts)).map(({ balance }) => balance)
    assert.equal(
      balances.reduce((sum, balance) => sum + balance, 0),
      600,
    )
  })

  test('a read may be stale only where its caller takes that', async () => {
    const key = { pk: 'stale', sk: 'a' }
    const reads = async (consistent: boolean) => [
      (await table.get(key, { consistent }))?.n,
      (await table.getMany([key], { consistent }))[0]?.n,
      (await table.query({ pk: key.pk, consistent })).items[0]?.n,
    ]
    await plain.put({ ...key, n: 1 })
    endpoint.follow(nothingButStaleReads())
    await reads(false)
    await reads(true)
    await plain.put({ ...key, n: 2 })
    assert.deepEqual(await reads(false), [1, 1, 1])
    assert.deepEqual(await reads(true), [2, 2, 2])
    assert.equal((await table.get(key))?.n, 2, 'consistent by default')
    assert.equal((await table.getMany([key]))[0]?.n, 2, 'consistent by default')
  })

  test('during an outage everything ends in TableUnavailable, and after it nothing has happened', async () => {
    const key = { pk: 'outage', sk: 'a' }
    await plain.put({ ...key, n: 1 })
    endpoint.follow(outage)
    const attempts = [
      table.get(key),
      table.getMany([key]),
      table.query({ pk: 'outage' }),
      table.put({ ...key, n: 2 }),
      table.update(key, { add: { n: 1 } }),
      table.delete(key),
      table.transact({ put: { put: { ...key, n: 3 } } }),
    ]
    for (const attempt of await Promise.allSettled(attempts)) {
      assert.ok(attempt.status === 'rejected' && attempt.reason instanceof TableUnavailable, JSON.stringify(attempt))
    }
    endpoint.follow(undefined)
    assert.deepEqual(await table.get(key), { ...key, n: 1 })
  })
})
