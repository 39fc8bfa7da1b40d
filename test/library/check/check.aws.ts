import assert from 'node:assert/strict'
import { S3Client } from '@aws-sdk/client-s3'
import { describe, onTestFinished, test } from 'vitest'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { dynamoScanner } from '../../../shared/backends/table/dynamodb-scan.ts'
import { mediaKey, pointerKey } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { usageKey } from '../../../shared/library/usage/usage.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { temporaryBucket } from '../../backends/objects/temporary-bucket.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { healthyLibrary, type Stores } from './healthy-library.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

async function openStores(): Promise<Stores> {
  const [client, s3] = [patientClient(), new S3Client({})]
  const [{ tableName, remove }, bucket] = await Promise.all([makeTemporaryTable(client), temporaryBucket(s3)])
  onTestFinished(async () => {
    await Promise.all([remove(), bucket.close()])
    client.destroy()
    s3.destroy()
  })
  return { table: dynamoTable({ tableName, client }), scanner: dynamoScanner({ tableName, client }), media: bucket.objects }
}

describe('a check of a library on AWS', () => {
  test('finds nothing where nothing is wrong, and everything that is', async () => {
    const library = await healthyLibrary(await openStores())
    const { table, media, file, folder, userId, check } = library
    assert.deepEqual(await check([200], true), [])
    await table.delete(pointerKey(file.mediaId, contentsOf(folder)))
    await table.update(usageKey(file), { add: { bytes: 1 } })
    await media.delete([objectKeys.tags(file)])
    await media.put(objectKeys.original(file), Buffer.alloc(file.bytes + 1), { contentType: 'text/plain' })
    await table.delete(mediaKey(toMediaId(12)))
    await table.delete(usageKey({ ...file, mediaId: toMediaId(12) }))
    const found = (await check([200], true)).map(({ problem, ...ids }) => [problem, ids.media_id ?? ids.user_id])
    assert.deepEqual(found.sort(), [
      ['object_missing', file.mediaId],
      ['objects_without_file', 12],
      ['original_md5_wrong', file.mediaId],
      ['original_size_wrong', file.mediaId],
      ['pointer_missing', file.mediaId],
      ['pointer_without_file', 12],
      ['usage_wrong', userId],
    ])
  })

  test('walks more than one page of table and objects', async () => {
    const library = await healthyLibrary(await openStores())
    const { table, media, companyId, check } = library
    const text = 'x'.repeat(300_000)
    for (let n = 0; n < 8; n++) await table.put({ pk: `UPLOAD#${n}`, sk: 'UPLOAD', text })
    const keys = Array.from({ length: 1_005 }, (_, n) => objectKeys.prefix({ companyId, mediaId: toMediaId(11) }) + n)
    for (let start = 0; start < keys.length; start += 50) {
      const some = keys.slice(start, start + 50)
      await Promise.all(some.map((key) => media.put(key, Buffer.from('x'), { contentType: 'text/plain' })))
    }
    const found = await check()
    assert.deepEqual(new Set(found.map(({ object }) => object)), new Set(keys), 'nothing needs these objects')
    assert.ok(found.every(({ problem }) => problem === 'object_unexpected'))
  })
})
