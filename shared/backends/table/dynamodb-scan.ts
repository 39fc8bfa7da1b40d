import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { decodeScanCursor, encodeScanCursor } from './cursor.ts'
import { documentClient } from './dynamodb.ts'
import { persistently } from './dynamodb-retry.ts'
import { InvalidCursor, type Item, type Key, type TableScanner } from './port.ts'
import { checkLimit } from './rules.ts'

/**
 * Scans the table in DynamoDB. A file of its own, so that no function's bundle contains it.
 * @param options.client made by `dynamoClient`
 */
export function dynamoScanner(options: { tableName: string; client?: DynamoDBClient }): TableScanner {
  const { tableName: TableName } = options
  const client = documentClient(options.client)
  return {
    async scan({ limit, cursor } = {}) {
      checkLimit(limit)
      const start = cursor === undefined ? {} : { ExclusiveStartKey: decodeScanCursor(cursor) }
      const command = new ScanCommand({ TableName, ConsistentRead: true, ...start, ...(limit !== undefined && { Limit: limit }) })
      try {
        const { Items = [], LastEvaluatedKey } = await persistently(() => client.send(command), 'harmless')
        const items = Items as Item[]
        return LastEvaluatedKey ? { items, cursor: encodeScanCursor(LastEvaluatedKey as Key) } : { items }
      } catch (error) {
        // The other parts of the request are valid: DynamoDB refuses the start.
        if (cursor !== undefined && error instanceof TypeError) throw new InvalidCursor('not a cursor of a scan', { cause: error })
        throw error
      }
    },
  }
}
