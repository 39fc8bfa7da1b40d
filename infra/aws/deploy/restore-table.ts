import { type DynamoDBClient, RestoreTableToPointInTimeCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb'

/** Longest that a restoration may take, in seconds. Large tables take hours. */
const LONGEST = 24 * 3600

/**
 * Restores a table under a new name, as it was at a time, and waits until it can be used. A restoration that runs already is waited for.
 * @param options.pollSeconds between two looks at it
 * @throws Error where the table has no recovery, or none of that time
 */
export async function restoreTable(
  client: DynamoDBClient,
  { source, target, at, pollSeconds = 20 }: { source: string; target: string; at: Date; pollSeconds?: number },
): Promise<void> {
  try {
    await client.send(new RestoreTableToPointInTimeCommand({ SourceTableName: source, TargetTableName: target, RestoreDateTime: at }))
  } catch (error) {
    if (!(error instanceof Error && error.name === 'TableAlreadyExistsException')) throw error
  }
  const waiting = { client, minDelay: pollSeconds, maxDelay: pollSeconds, maxWaitTime: LONGEST }
  await waitUntilTableExists(waiting, { TableName: target })
}
