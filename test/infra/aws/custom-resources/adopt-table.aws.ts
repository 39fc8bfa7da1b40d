import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type StreamViewType,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'
import { afterAll, describe, onTestFinished, test } from 'vitest'
import { prepareTable } from '../../../../infra/aws/custom-resources/adopt-table.ts'
import { type IndexSchema, indexes } from '../../../../shared/backends/table/indexes.ts'

describe('a table that is adopted', () => {
  const client = new DynamoDBClient()
  afterAll(() => client.destroy())

  /** A table as a restoration leaves one behind: without stream, expiry and backups. Here also without indexes. */
  async function restored(keys: [string, string], StreamViewType?: StreamViewType): Promise<string> {
    const TableName = `restored-${randomUUID()}`
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: keys.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
        ...(StreamViewType && { StreamSpecification: { StreamEnabled: true, StreamViewType } }),
      }),
    )
    onTestFinished(async () => {
      await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }))
      await client.send(new DeleteTableCommand({ TableName }))
    })
    return TableName
  }

  test('gets what the service needs of one, and the next time nothing', async () => {
    const TableName = await restored(['pk', 'sk'])
    const stream = await prepareTable(client, TableName, 10)
    const { Table } = await client.send(new DescribeTableCommand({ TableName }))
    assert.deepEqual([Table?.LatestStreamArn, Table?.StreamSpecification?.StreamViewType], [stream, 'NEW_AND_OLD_IMAGES'])
    assert.equal(Table?.DeletionProtectionEnabled, true)
    const made = Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) =>
      [IndexName, ...KeySchema!.map(({ AttributeName }) => AttributeName), Projection?.ProjectionType].join(),
    )
    const declared = Object.entries<IndexSchema>(indexes).map(([name, { pk, sk }]) => [name, pk, sk, 'KEYS_ONLY'].join())
    assert.deepEqual(made?.sort(), declared.sort())
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
    assert.deepEqual([TimeToLiveDescription?.AttributeName, TimeToLiveDescription?.TimeToLiveStatus], ['ttl', 'ENABLED'])
    const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }))
    assert.equal(ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus, 'ENABLED')

    const asked: string[] = []
    const watched = {
      send(command: object) {
        asked.push(command.constructor.name)
        return client.send(command as never)
      },
    }
    assert.equal(await prepareTable(watched as DynamoDBClient, TableName, 10), stream)
    assert.ok(asked.length > 0 && asked.every((name) => name.startsWith('Describe')), asked.join())
  })

  test('is left alone where it is not one of a media library', async () => {
    await assert.rejects(
      prepareTable(client, await restored(['id', 'at']), 10),
      /is not one of a media library: its keys are HASH id,RANGE at/,
    )
    const keysOnly = await restored(['pk', 'sk'], 'KEYS_ONLY')
    await assert.rejects(prepareTable(client, keysOnly, 10), /the stream of restored-\S+ tells KEYS_ONLY alone/)
  })
})
