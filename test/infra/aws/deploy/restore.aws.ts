import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb'
import { PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, onTestFinished, test } from 'vitest'
import { emptyBucket } from '../../../../infra/aws/custom-resources/empty-bucket.ts'
import { restoreObjects } from '../../../../infra/aws/deploy/restore-objects.ts'
import { restoreTable } from '../../../../infra/aws/deploy/restore-table.ts'
import { dynamoTable } from '../../../../shared/backends/table/dynamodb.ts'
import { dynamoScanner } from '../../../../shared/backends/table/dynamodb-scan.ts'
import { checkLibrary } from '../../../../shared/library/check/check.ts'
import { mediaKey } from '../../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../../shared/library/media/objects.ts'
import { temporaryBucket } from '../../../backends/objects/temporary-bucket.ts'
import { makeTemporaryTable } from '../../../backends/table/temporary-table.ts'
import { healthyLibrary } from '../../../library/check/healthy-library.ts'
import { patientClient } from '../../../support/aws/patient-client.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

/** Times of versions are of whole seconds. */
const nextSecond = () => pause(2_100)

describe('a stack that goes back to a point in time', () => {
  /** A table, and a bucket that keeps versions as with `retain`. */
  async function stores() {
    const [client, s3] = [patientClient(), new S3Client({})]
    const [{ tableName, remove }, bucket] = await Promise.all([makeTemporaryTable(client), temporaryBucket(s3)])
    await s3.send(new PutBucketVersioningCommand({ Bucket: bucket.name, VersioningConfiguration: { Status: 'Enabled' } }))
    onTestFinished(async () => {
      await emptyBucket(s3, bucket.name, { times: 1, pauseMs: 0 })
      await Promise.all([remove(), bucket.close()])
      client.destroy()
      s3.destroy()
    })
    return { client, s3, tableName, bucket }
  }

  // The emulator restores a table as it is, whatever the time: so the table is restored before what it is to be restored from.
  test('has its users and files again, though they were deleted since', async () => {
    const { client, s3, tableName, bucket } = await stores()
    const media = bucket.objects
    const library = await healthyLibrary({
      table: dynamoTable({ tableName, client }),
      scanner: dynamoScanner({ tableName, client }),
      media,
    })
    const { file } = library
    await nextSecond()
    const at = new Date()
    const target = `restored-${randomUUID()}`
    const restored = { source: tableName, target, at, pollSeconds: 1 }
    await restoreTable(client, restored)
    onTestFinished(async () => void (await client.send(new DeleteTableCommand({ TableName: target }))))
    await nextSecond()

    await library.table.delete(mediaKey(file.mediaId))
    await media.delete([objectKeys.original(file), objectKeys.tags(file)])
    const table = dynamoTable({ tableName: target, client })
    const scanner = dynamoScanner({ tableName: target, client })
    const check = async () =>
      (await checkLibrary({ table, scanner, media, clock: library.clock }, { pauses: [0], deep: true })).map(({ problem, media_id }) => [
        problem,
        media_id,
      ])
    assert.deepEqual(await check(), [
      ['object_missing', file.mediaId],
      ['object_missing', file.mediaId],
    ])

    assert.deepEqual(await restoreObjects(s3, bucket.name, at), { restored: 2, replaced: [] })
    assert.deepEqual(await check(), [])
    // Both may be repeated: they find nothing to do.
    await restoreTable(client, restored)
    assert.deepEqual(await restoreObjects(s3, bucket.name, at), { restored: 0, replaced: [] })
  })

  test('keeps what was deleted before, and says what was replaced since', async () => {
    const { s3, bucket } = await stores()
    const put = (key: string, text: string) => bucket.objects.put(key, Buffer.from(text), { contentType: 'text/plain' })
    await Promise.all([put('a/gone', '1'), put('b/replaced', '1'), put('c/again', '1'), put('d/ø +', '1')])
    await bucket.objects.delete(['a/gone'])
    await nextSecond()
    const at = new Date()
    await nextSecond()
    await put('b/replaced', '2')
    await put('e/later', '1')
    await bucket.objects.delete(['c/again', 'd/ø +', 'e/later'])
    await nextSecond()
    await put('c/again', '2')
    await bucket.objects.delete(['c/again'])

    assert.deepEqual(await restoreObjects(s3, bucket.name, at), { restored: 2, replaced: ['b/replaced', 'c/again'] })
    const { objects } = await bucket.objects.list('')
    assert.deepEqual(
      objects.map(({ key }) => key),
      ['b/replaced', 'c/again', 'd/ø +'],
    )
  })

  test('without versions of its files is refused', async () => {
    const s3 = new S3Client({})
    const bucket = await temporaryBucket(s3)
    onTestFinished(async () => {
      await bucket.close()
      s3.destroy()
    })
    await assert.rejects(restoreObjects(s3, bucket.name, new Date()), /keeps no versions/)
  })
})
