import assert from 'node:assert/strict'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { dynamoScanner } from '../../../shared/backends/table/dynamodb-scan.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { tableContract } from './contract.ts'
import { streamReader } from './stream-reader.ts'
import { makeTemporaryTable } from './temporary-table.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

tableContract('the DynamoDB table', async () => {
  const client = patientClient()
  const streams = new DynamoDBStreamsClient()
  const { tableName, streamArn, remove } = await makeTemporaryTable(client)
  return {
    table: dynamoTable({ tableName, client }),
    scanner: dynamoScanner({ tableName, client }),
    changes: streamReader(streams, streamArn),
    async close() {
      await remove()
      client.destroy()
      streams.destroy()
    },
  }
})
