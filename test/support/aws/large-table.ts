import assert from 'node:assert/strict'
import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { toAttributes } from '../../../shared/backends/table/attribute-value.ts'
import type { Item } from '../../../shared/backends/table/port.ts'
import { inParallel } from '../../../shared/library/concurrency/parallel.ts'

/** Most items in one call that writes several. */
const BATCH = 25

/** Writes items past the port, which has no way to write so many at once. */
export async function storeItems(client: DynamoDBClient, tableName: string, items: readonly Item[]): Promise<void> {
  const starts = Array.from({ length: Math.ceil(items.length / BATCH) }, (_, batch) => batch * BATCH)
  await inParallel(starts.values(), 16, async (start) => {
    const requests = items.slice(start, start + BATCH).map((item) => ({ PutRequest: { Item: toAttributes(item) } }))
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }))
    assert.deepEqual(UnprocessedItems ?? {}, {})
  })
}

/** Tells what each request of a client consumes, in read units as far as it reads. */
export function countUnits({ middlewareStack }: DynamoDBClient, consumed: (units: number) => void): void {
  middlewareStack.add(
    (next) => async (request) => {
      const result = await next({ ...request, input: { ...request.input, ReturnConsumedCapacity: 'TOTAL' } })
      const capacity = 'ConsumedCapacity' in result.output ? [result.output.ConsumedCapacity ?? []].flat() : []
      for (const each of capacity) if ('CapacityUnits' in each) consumed(each.CapacityUnits ?? 0)
      return result
    },
    { step: 'initialize' },
  )
}
