import assert from 'node:assert/strict'
import { S3Client } from '@aws-sdk/client-s3'
import { onTestFinished } from 'vitest'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { temporaryBucket } from '../../backends/objects/temporary-bucket.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { TestClock } from '../../support/test-clock.ts'
import { readersSuite } from './readers-suite.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

readersSuite('over DynamoDB and S3', async () => {
  const [client, s3] = [patientClient(), new S3Client({})]
  const { tableName, remove } = await makeTemporaryTable(client)
  const [uploads, media, publicFiles] = [await temporaryBucket(s3), await temporaryBucket(s3), await temporaryBucket(s3)]
  onTestFinished(async () => {
    await Promise.all([remove(), uploads.close(), media.close(), publicFiles.close()])
    client.destroy()
    s3.destroy()
  })
  const table = dynamoTable({ tableName, client })
  return { table, uploads: uploads.objects, media: media.objects, publicFiles: publicFiles.objects, clock: new TestClock() }
})
