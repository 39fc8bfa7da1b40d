import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, describe, onTestFinished, test } from 'vitest'
import { type KnownObjects, ObjectMissing, ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { s3Reader } from '../../../shared/backends/objects/s3-reader.ts'
import { lost, unanswered } from '../../support/aws/faults/fault.ts'
import { faultyEndpoint } from '../../support/aws/faults/faulty-endpoint.ts'
import { bytes, objectsContract, twoBuckets } from './contract.ts'
import { brokenBodies, lostAnswers, outage } from './faults.ts'
import { objectsDeviations } from './s3-deviations.ts'
import { type TemporaryBucket, temporaryBucket } from './temporary-bucket.ts'

const engine = process.env.AWS_ENDPOINT_URL
assert.ok(engine, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const client = new S3Client({})
const region = await client.config.region()
const endpoint = await faultyEndpoint(engine)
afterAll(async () => {
  client.destroy()
  await endpoint.close()
})

/** A bucket that is written with the SDK's client, and read through a reader. */
async function bucketReadAt(url: string) {
  const { name, objects, close } = await temporaryBucket(client)
  return { objects: Object.assign(objects, s3Reader({ bucket: name, region, endpoint: url })), close }
}

objectsContract('reader of S3', () => twoBuckets(() => bucketReadAt(engine)), objectsDeviations)

describe('a reader of S3', () => {
  const large = randomBytes(1024 ** 2)
  const labels = { contentType: 'image/jpeg' }
  let bucket: TemporaryBucket
  let reader: KnownObjects
  beforeAll(async () => {
    bucket = await temporaryBucket(client)
    reader = s3Reader({ bucket: bucket.name, region, endpoint: endpoint.url, answerTime: 1000 })
    await bucket.objects.put('large', large, labels)
  })
  afterEach(() => endpoint.follow(undefined))
  afterAll(() => bucket.close())

  for (const [what, fault] of Object.entries({ lost, unanswered })) {
    test(`asks again when an answer is ${what}`, async () => {
      endpoint.follow(lostAnswers('GetObject', fault))
      const before = endpoint.injected
      assert.deepEqual(await bytes((await reader.get('large')).stream), large)
      assert.ok(endpoint.injected > before)
    })
  }

  test('fails while S3 is out, and reads when it is back', async () => {
    endpoint.follow(outage())
    await assert.rejects(reader.get('large'), ObjectsUnavailable)
    await assert.rejects(reader.head('large'), ObjectsUnavailable)
    endpoint.follow(undefined)
    assert.deepEqual(await bytes((await reader.get('large')).stream), large)
  })

  test('never takes a body that breaks off for whole', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'reader-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    endpoint.follow(brokenBodies)
    await assert.rejects(bytes((await reader.get('large')).stream))
    await assert.rejects(reader.fetch('large', join(directory, 'broken')), ObjectsUnavailable)
    endpoint.follow(undefined)
    await reader.fetch('large', join(directory, 'whole'))
    assert.deepEqual(await readFile(join(directory, 'whole')), large)
  })

  test('takes the credentials of its role anew for every request, and says that there are none', async () => {
    const key = process.env.AWS_SECRET_ACCESS_KEY
    delete process.env.AWS_SECRET_ACCESS_KEY
    onTestFinished(() => {
      process.env.AWS_SECRET_ACCESS_KEY = key
    })
    await assert.rejects(reader.get('large'), /no credentials/)
    process.env.AWS_SECRET_ACCESS_KEY = key
    assert.deepEqual(await bytes((await reader.get('large')).stream), large)
  })

  test('tells storage that is not there from a missing object and from a missing bucket', async () => {
    await assert.rejects(reader.get('nothing'), ObjectMissing)
    assert.equal(await reader.head('nothing'), undefined)
    await assert.rejects(s3Reader({ bucket: 'nowhere-at-all', region, endpoint: engine }).get('key'), { name: 'NoSuchBucket' })
    await assert.rejects(s3Reader({ bucket: 'nowhere', region, endpoint: 'http://127.0.0.1:9' }).get('key'), ObjectsUnavailable)
  })
})
