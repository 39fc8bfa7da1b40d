import { randomUUID } from 'node:crypto'
import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { indexes } from '../../../shared/backends/table/indexes.ts'
import { indexAttributes } from '../../../shared/backends/table/rules.ts'

/** Makes a table of the service's shape under a name of its own. Production's is made by CDK. */
export async function makeTemporaryTable(
  client: DynamoDBClient,
): Promise<{ tableName: string; streamArn: string; remove(): Promise<void> }> {
  const tableName = `contract-${randomUUID()}`
  const keySchema = (pk: string, sk: string) => [
    { AttributeName: pk, KeyType: 'HASH' as const },
    { AttributeName: sk, KeyType: 'RANGE' as const },
  ]
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', ...indexAttributes].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      KeySchema: keySchema('pk', 'sk'),
      GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, { pk, sk }]) => ({
        IndexName,
        KeySchema: keySchema(pk, sk),
        Projection: { ProjectionType: 'KEYS_ONLY' as const },
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  )
  const { reason } = await waitUntilTableExists({ client, minDelay: 1, maxDelay: 2, maxWaitTime: 120 }, { TableName: tableName })
  return {
    tableName,
    streamArn: reason.Table.LatestStreamArn,
    async remove() {
      await client.send(new DeleteTableCommand({ TableName: tableName }))
    },
  }
}
