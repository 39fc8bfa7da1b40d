import assert from 'node:assert/strict'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, test } from 'vitest'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { expireZips } from '../../../shared/library/zips/removal.ts'
import { temporaryBucket } from '../../backends/objects/temporary-bucket.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { TestClock } from '../../support/library.ts'
import { always, never, setUpIn } from './set-up.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const MiB = 1024 ** 2
const [dynamo, s3] = [patientClient(), new S3Client({})]
afterAll(() => {
  dynamo.destroy()
  s3.destroy()
})

test('S3 assembles a zip of large and small files, in runs of which each does one step', async () => {
  const [{ tableName, remove }, bucket] = await Promise.all([makeTemporaryTable(dynamo), temporaryBucket(s3)])
  try {
    const clock = new TestClock()
    const stores = { table: dynamoTable({ tableName, client: dynamo }), media: bucket.objects, clock }
    const { folder, file, request, build, contentsOf, stored, building } = await setUpIn(stores)
    const top = await folder('Top')
    const inner = await folder('Inner', top.folderId)
    const wanted: Record<string, string> = {}
    const add = async (name: string, content: string, more = {}) => {
      await file(inner, name, content, more)
      wanted[`Inner/${name}`] = content
    }
    await add('a large one.bin', 'a'.repeat(17 * MiB))
    await add('another large one.bin', 'b'.repeat(20 * MiB + 1))
    await add('between.txt', 'between')
    await add('empty.txt', '')
    await add('picture.jpg', 'picture', { mime: 'image/jpeg', title: { en: 'Title' } })
    wanted['Inner/picture.jpg'] += ' with {"title":"Title"}'
    const { jobId } = await request(top.folderId)
    const { zip, runs } = await build(jobId, always)
    assert.equal(zip.state, 'DONE')
    assert.ok(runs > 5, `${runs} runs`)
    assert.deepEqual(await contentsOf(zip), wanted)
    assert.equal((await request(top.folderId)).jobId, jobId)
    clock.advance(2 * 86_400)
    await expireZips(building, never)
    assert.deepEqual(await stored(), [])
  } finally {
    await Promise.all([remove(), bucket.close()])
  }
})
