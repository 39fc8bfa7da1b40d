import assert from 'node:assert/strict'
import { onTestFinished } from 'vitest'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { jobsContract } from './contract.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

jobsContract('DynamoDB', async () => {
  const client = patientClient()
  const { tableName, remove } = await makeTemporaryTable(client)
  onTestFinished(async () => {
    await remove()
    client.destroy()
  })
  return dynamoTable({ tableName, client })
})
