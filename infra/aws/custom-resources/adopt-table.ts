import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import * as z from 'zod'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { type IndexSchema, indexes } from '../../../shared/backends/table/indexes.ts'
import { customResource } from './custom-resource.ts'

const Properties = z.object({ Name: z.string() })

type Client = Pick<DynamoDBClient, 'send'>

/**
 * Gives a table what the service's own has: a stream, indexes, protection from deletion, expiry and backups. What it has already stays.
 * @param pauseMs between two looks at a table that is being changed
 * @returns ARN of its stream
 * @throws Error where it has other keys or another kind of stream
 */
export async function prepareTable(client: Client, TableName: string, pauseMs = 2_000): Promise<string> {
  const settled = () => settledTable(client, TableName, pauseMs)
  const update = (input: Omit<UpdateTableCommandInput, 'TableName'>) => client.send(new UpdateTableCommand({ TableName, ...input }))
  const table = await settled()
  const keys = table.KeySchema?.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).join()
  if (keys !== 'HASH pk,RANGE sk') throw new Error(`the table ${TableName} is not one of a media library: its keys are ${keys}`)
  const { StreamEnabled, StreamViewType } = table.StreamSpecification ?? {}
  if (!StreamEnabled) await update({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } })
  else if (StreamViewType !== 'NEW_AND_OLD_IMAGES') throw new Error(`the stream of ${TableName} tells ${StreamViewType} alone: turn it off`)
  const known = new Set(table.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName))
  for (const [name, schema] of Object.entries<IndexSchema>(indexes)) {
    if (known.has(name)) continue
    await settled()
    await update(creationOf(name, schema))
  }
  await settled()
  if (!table.DeletionProtectionEnabled) await update({ DeletionProtectionEnabled: true })
  await expire(client, TableName)
  await backUp(client, TableName)
  const { LatestStreamArn } = await settled()
  if (!LatestStreamArn) throw new Error(`the table ${TableName} has no stream`)
  return LatestStreamArn
}

async function settledTable(client: Client, TableName: string, pauseMs: number): Promise<TableDescription> {
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }))
    const states = [Table?.TableStatus, ...(Table?.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus)]
    // CREATING, UPDATING, DELETING. States that last, beside ACTIVE, are for the next command to refuse.
    if (Table && !states.some((state) => state?.endsWith('ING'))) return Table
    await systemClock.sleep(pauseMs)
  }
}

function creationOf(IndexName: string, { pk, sk, projection }: IndexSchema): Omit<UpdateTableCommandInput, 'TableName'> {
  return {
    AttributeDefinitions: [pk, sk].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName,
          KeySchema: [
            { AttributeName: pk, KeyType: 'HASH' },
            { AttributeName: sk, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: projection === 'keys' ? 'KEYS_ONLY' : 'ALL' },
        },
      },
    ],
  }
}

async function expire(client: Client, TableName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
  if (/^ENABL/.test(TimeToLiveDescription?.TimeToLiveStatus ?? '')) return
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }))
}

async function backUp(client: Client, TableName: string): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }))
  if (ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED') return
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }))
}

/** Handler of the custom resource `Custom::AdoptedTable`. The table stays when the resource goes. */
export const adoptTable = customResource(async ({ type, properties }): Promise<Record<string, string>> => {
  const { Name } = Properties.parse(properties)
  return type === 'Delete' ? {} : { Name, StreamArn: await prepareTable(new DynamoDBClient(), Name) }
})
