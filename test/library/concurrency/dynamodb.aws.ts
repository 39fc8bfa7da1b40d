import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { dynamoScanner } from '../../../shared/backends/table/dynamodb-scan.ts'
import { streamReader } from '../../backends/table/stream-reader.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { concurrencySuite } from './suite.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

concurrencySuite('several processes on one DynamoDB table', async () => {
  const client = patientClient()
  const streams = new DynamoDBStreamsClient()
  const { tableName, streamArn, remove } = await makeTemporaryTable(client)
  const directory = await mkdtemp(join(tmpdir(), 'concurrency-'))
  return {
    place: { directory, tableName },
    scanner: dynamoScanner({ tableName, client }),
    changes: streamReader(streams, streamArn),
    // A request takes so long here that calls nearly always meet.
    rounds: 6,
    async close() {
      await remove()
      await rm(directory, { recursive: true })
      client.destroy()
      streams.destroy()
    },
  }
})
