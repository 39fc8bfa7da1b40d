import assert from 'node:assert/strict'
import { describe, onTestFinished, test } from 'vitest'
import { requestLimits } from '../../../shared/backends/aws/request-limits.ts'
import { dynamoClient, dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { persistently } from '../../../shared/backends/table/dynamodb-retry.ts'
import { dynamoScanner } from '../../../shared/backends/table/dynamodb-scan.ts'
import { ConditionFailed, ItemTooLarge, type Table, TableUnavailable, WriteConflict } from '../../../shared/backends/table/port.ts'
import { type Answer, answering, breaking, clientOf, never } from '../../support/answering.ts'
import { plain } from '../../support/hostile-answers.ts'

const reply = (status: number, body: object) => plain(status, 'application/x-amz-json-1.0', JSON.stringify(body))
const ok = (body: object = {}): Answer => reply(200, body)
const exception = (name: string, more: object = {}, status = 400): Answer =>
  reply(status, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: `told: ${name}`, ...more })
const cancelled = (...codes: string[]): Answer =>
  exception('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code, Message: `told: ${Code}` })) })

const throttled = exception('ProvisionedThroughputExceededException')
const conditionFailed = exception('ConditionalCheckFailedException')
const key = { pk: 'a', sk: 'a' }
const stored = { pk: { S: 'a' }, sk: { S: 'a' } }

/** No emulator throttles, conflicts or loses answers: an endpoint that follows a script does. */
describe('the DynamoDB table when DynamoDB is in trouble', () => {
  /** A table whose requests get these replies one after the other; the last one again and again. */
  const scripted = async (...replies: Answer[]) => {
    const { endpoint, received } = await answering(...replies)
    const { maxAttempts: _, ...client } = clientOf(endpoint)
    const at = { tableName: 'table', client: dynamoClient({ ...client, requestHandler: requestLimits(200) }) }
    onTestFinished(() => at.client.destroy())
    return { table: dynamoTable(at), scanner: dynamoScanner(at), received, requests: () => received.map(({ body }) => JSON.parse(body)) }
  }

  test('a read sees what was committed before, unless its caller takes a stale one', async () => {
    const { scanner, table, requests } = await scripted(
      ok({ Items: [stored] }),
      ok({ Item: stored }),
      ok({ Items: [stored] }),
      ok({ Item: stored }),
    )
    assert.deepEqual(await scanner.scan(), { items: [key] })
    assert.deepEqual(await table.get(key), key)
    await table.query({ pk: 'a', consistent: true })
    await table.get(key, { consistent: false })
    assert.deepEqual(
      requests().map(({ ConsistentRead = false }) => ConsistentRead),
      [true, true, true, false],
    )
  })

  test('a read is repeated when it was throttled, or its answer is lost, late or an internal error', async () => {
    const throttles = [throttled, exception('ThrottlingException'), exception('RequestLimitExceeded')]
    for (const troubles of [throttles, [breaking, never, exception('InternalServerError', {}, 500), reply(503, {})]]) {
      const { table, received } = await scripted(...troubles, ok({ Item: stored }))
      assert.deepEqual(await table.get(key), key)
      assert.equal(received.length, troubles.length + 1)
    }
  })

  test('keys that stay unprocessed are asked for again, only those', async () => {
    const b = { pk: { S: 'a' }, sk: { S: 'b' } }
    const { table, requests } = await scripted(
      ok({ Responses: { table: [b] }, UnprocessedKeys: { table: { Keys: [stored] } } }),
      ok({ Responses: {}, UnprocessedKeys: { table: { Keys: [stored] } } }),
      ok({ Responses: { table: [stored] } }),
    )
    assert.deepEqual(await table.getMany([key, { pk: 'a', sk: 'b' }]), [key, { pk: 'a', sk: 'b' }])
    assert.deepEqual(requests()[2], { RequestItems: { table: { Keys: [stored], ConsistentRead: true } } })
  })

  test('a write whose answer is lost is repeated', async () => {
    const { table, requests } = await scripted(breaking, ok())
    await table.put(key)
    assert.deepEqual(requests()[0], requests()[1])
  })

  test('a condition that fails only after an answer was lost leaves it open whether the write happened', async () => {
    for (const write of [
      (table: Table) => table.put(key, { pk: { exists: false } }),
      (table: Table) => table.delete(key, { pk: { exists: true } }),
      (table: Table) => table.update(key, { set: { n: 2 } }, { n: { equals: 1 } }),
    ]) {
      const { table } = await scripted(breaking, conditionFailed)
      await assert.rejects(write(table), TableUnavailable)
    }
  })

  test('a condition that fails at once, or after throttling, failed', async () => {
    const { table } = await scripted(throttled, conditionFailed)
    await assert.rejects(table.put(key, { pk: { exists: false } }), (error) => error instanceof ConditionFailed && error.failed('put'))
  })

  test('an increment whose answer is lost is not repeated, one that was throttled is', async () => {
    const lost = await scripted(breaking, ok({ Attributes: stored }))
    await assert.rejects(lost.table.update(key, { add: { n: 1 } }), TableUnavailable)
    assert.equal(lost.received.length, 1)
    const refused = await scripted(throttled, ok({ Attributes: stored }))
    assert.deepEqual(await refused.table.update(key, { add: { n: 1 } }), key)
  })

  test('a transaction is repeated with the token that makes it happen once', async () => {
    const { table, received, requests } = await scripted(
      breaking,
      exception('TransactionInProgressException'),
      cancelled('None', 'TransactionConflict'),
      cancelled('ThrottlingError', 'None'),
      ok(),
    )
    await table.transact({ a: { put: key }, b: { delete: { pk: 'b', sk: 'b' } } })
    assert.equal(received.length, 5)
    assert.equal(new Set(requests().map(({ ClientRequestToken }) => ClientRequestToken)).size, 1)
  })

  test('a cancelled transaction tells which conditions failed, even next to a conflict', async () => {
    const { table } = await scripted(cancelled('None', 'ConditionalCheckFailed', 'TransactionConflict', 'ConditionalCheckFailed'))
    const names = ['a', 'b', 'c', 'd']
    const attempt = table.transact(Object.fromEntries(names.map((sk) => [sk, { put: { pk: 'a', sk } }])))
    await assert.rejects(attempt, (error) => {
      assert.ok(error instanceof ConditionFailed)
      assert.deepEqual(
        names.filter((name) => error.failed(name)),
        ['b', 'd'],
      )
      return true
    })
  })

  test('what DynamoDB finds invalid is a TypeError, or an item too large', async () => {
    const invalid = (message: string) => exception('ValidationException', { message })
    const tooLarge = 'Item size to update has exceeded the maximum allowed size'
    const { table } = await scripted(
      invalid('An operand has an incorrect data type'),
      invalid(tooLarge),
      exception('TransactionCanceledException', {
        CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError', Message: tooLarge }],
      }),
    )
    await assert.rejects(table.update(key, { add: { text: 1 } }), TypeError)
    await assert.rejects(table.update(key, { set: { text: 'x' } }), ItemTooLarge)
    await assert.rejects(table.transact({ none: { put: { pk: 'b', sk: 'b' } }, a: { put: key } }), ItemTooLarge)
  })

  test('what repeating can not help is thrown as it came', async () => {
    const { table, received } = await scripted(exception('AccessDeniedException'))
    await assert.rejects(table.get(key), { name: 'AccessDeniedException' })
    assert.equal(received.length, 1)
  })

  test('an endless conflict or an endless outage ends in the error that says so', async () => {
    const budget = 100
    const rejecting = (error: object) => () => Promise.reject(Object.assign(new Error('told'), error))
    await assert.rejects(persistently(rejecting({ name: 'TransactionConflictException' }), 'doubtful', [], budget), WriteConflict)
    await assert.rejects(persistently(rejecting({ name: 'ThrottlingException' }), 'harmless', [], budget), TableUnavailable)
    await assert.rejects(persistently(rejecting({ code: 'ECONNREFUSED' }), 'harmless', [], budget), TableUnavailable)
  })
})
