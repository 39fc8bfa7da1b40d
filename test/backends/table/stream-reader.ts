import {
  type _Record,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams'
import type { DynamoDBRecord } from 'aws-lambda'
import { toChange } from '../../../shared/backends/table/dynamodb-stream.ts'
import type { Change, ChangeReader } from '../../../shared/backends/table/port.ts'

/** Reads a table's stream over DynamoDB's own interface, which on AWS is Lambda's business. A position is the last sequence number by shard. */
export function streamReader(client: DynamoDBStreamsClient, streamArn: string): ChangeReader {
  return {
    async readChanges(position, limit) {
      const read: Record<string, string> = position === undefined ? {} : JSON.parse(position)
      const changes: Change[] = []
      const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }))
      for (const { ShardId = '' } of StreamDescription?.Shards ?? []) {
        if (changes.length === limit) break
        const records = await readShard(client, { StreamArn: streamArn, ShardId }, read[ShardId], limit - changes.length)
        changes.push(...records.map((record) => toChange(asLambdaRecord(record))))
        const last = records.at(-1)?.dynamodb?.SequenceNumber
        if (last) read[ShardId] = last
      }
      return { changes, position: JSON.stringify(read) }
    },
  }
}

async function readShard(
  client: DynamoDBStreamsClient,
  shard: { StreamArn: string; ShardId: string },
  after: string | undefined,
  limit: number,
): Promise<_Record[]> {
  const start =
    after === undefined
      ? { ShardIteratorType: 'TRIM_HORIZON' as const }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: after }
  let { ShardIterator } = await client.send(new GetShardIteratorCommand({ ...shard, ...start }))
  // An open shard may answer with nothing several times before it comes to where its records are.
  for (let attempt = 0; ShardIterator && attempt < 5; attempt++) {
    const answer = await client.send(new GetRecordsCommand({ ShardIterator, Limit: limit }))
    if (answer.Records?.length) return answer.Records
    ShardIterator = answer.NextShardIterator
  }
  return []
}

/** The interface's records differ from Lambda's in the spelling of the identity, and in dates, which nothing reads. */
function asLambdaRecord({ eventID, dynamodb, userIdentity }: _Record): DynamoDBRecord {
  return JSON.parse(
    JSON.stringify({
      eventID,
      dynamodb: { Keys: dynamodb?.Keys, OldImage: dynamodb?.OldImage, NewImage: dynamodb?.NewImage },
      userIdentity: userIdentity && { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
  )
}
