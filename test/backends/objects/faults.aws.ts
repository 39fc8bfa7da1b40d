import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { ObjectChanged, type Objects, ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { s3Client, s3Objects } from '../../../shared/backends/objects/s3.ts'
import { unanswered } from '../../support/aws/faults/fault.ts'
import { faultyEndpoint } from '../../support/aws/faults/faulty-endpoint.ts'
import { expectationOf, inOrder, numbered, stored } from './compositions-contract.ts'
import { bytes, text } from './contract.ts'
import { before, forgottenUpload, lostAnswers, outage, unknownUploads } from './faults.ts'
import { type TemporaryBucket, temporaryBucket } from './temporary-bucket.ts'

const engine = process.env.AWS_ENDPOINT_URL
assert.ok(engine, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const direct = new S3Client({})
const endpoint = await faultyEndpoint(engine)
/** @param requestTimeout milliseconds; the endpoint takes an object whole before it passes it on */
function throughFaults(requestTimeout: number): S3Client {
  return s3Client({ endpoint: endpoint.url, requestHandler: { requestTimeout, throwOnRequestTimeout: true } })
}
const patient = throughFaults(60_000)
const impatient = throughFaults(3000)
afterAll(async () => {
  for (const client of [direct, patient, impatient]) client.destroy()
  await endpoint.close()
})

const labels = { contentType: 'image/jpeg' }
const MiB = 1024 ** 2

describe('S3 when it fails for good, or at the worst moment', () => {
  let bucket: TemporaryBucket
  let objects: Objects
  beforeAll(async () => {
    bucket = await temporaryBucket(direct)
    objects = s3Objects({ bucket: bucket.name, client: impatient })
  })
  afterEach(() => endpoint.follow(undefined))
  afterAll(() => bucket.close())

  const large = randomBytes(9 * MiB)
  const uploads = async () => (await direct.send(new ListMultipartUploadsCommand({ Bucket: bucket.name }))).Uploads ?? []

  test('a write whose answer never comes is repeated', async () => {
    endpoint.follow(lostAnswers('PutObject', unanswered))
    await objects.put('late', Buffer.from('bytes'), labels)
    assert.equal(await text((await bucket.objects.get('late')).stream), 'bytes')
  })

  test('an upload in parts whose end nobody confirms is found in the object that it made', async () => {
    endpoint.follow(forgottenUpload())
    const { etag } = await objects.put('parts', Readable.from([large]), labels)
    const found = await bucket.objects.get('parts')
    assert.equal(found.etag, etag)
    assert.deepEqual(await bytes(found.stream), large)
    endpoint.follow(forgottenUpload())
    const composition = await objects.beginComposition('composed of parts', labels)
    await objects.storeParts(
      composition,
      inOrder([
        { number: 1, copy: 'parts', size: large.length },
        { number: 2, bytes: Buffer.from('!') },
      ]),
    )
    await objects.completeComposition(composition, expectationOf(Buffer.concat([large, Buffer.from('!')])))
    assert.equal((await bucket.objects.head('composed of parts'))?.bytes, large.length + 1)
    assert.deepEqual(await uploads(), [])
  })

  test('an upload that is no more before it ended is never taken for the object that was there before', async () => {
    await bucket.objects.put('before', randomBytes(large.length), labels)
    for (const key of ['before', 'nothing before']) {
      endpoint.follow(unknownUploads)
      await assert.rejects(objects.put(key, Readable.from([large]), labels), ObjectsUnavailable)
      endpoint.follow(undefined)
    }
    assert.notDeepEqual(await bytes((await objects.get('before')).stream), large)
    assert.equal(await objects.head('nothing before'), undefined)
    assert.deepEqual(await uploads(), [])
  })

  for (const [operation, bytes] of [
    ['CopyObject', 1000],
    ['UploadPartCopy', 129 * MiB],
  ] as const) {
    test(`an object that is replaced just before ${operation} is not copied, nor a mix of two`, async () => {
      const { etag } = await bucket.objects.put('posted', Buffer.alloc(bytes, 'a'), labels)
      endpoint.follow(before(operation, () => bucket.objects.put('posted', Buffer.alloc(bytes, 'b'), labels)))
      await assert.rejects(objects.copy({ key: 'posted', etag }, 'copy', labels), ObjectChanged)
      endpoint.follow(undefined)
      assert.equal(await objects.head('copy'), undefined)
      assert.deepEqual(await uploads(), [])
    })
  }

  test('a composition that S3 takes no more parts of goes on when it does again', async () => {
    await bucket.objects.put('source', large, labels)
    const composition = await objects.beginComposition('later', labels)
    await objects.storeParts(composition, inOrder([{ number: 1, copy: 'source', size: large.length }]))
    endpoint.follow(outage((operation) => operation.startsWith('UploadPart')))
    const last = () => objects.storeParts(composition, inOrder([{ number: 2, bytes: Buffer.from('!') }]))
    await assert.rejects(last(), ObjectsUnavailable)
    endpoint.follow(undefined)
    assert.deepEqual(await stored(objects, composition), [{ number: 1, bytes: large.length }])
    await last()
    await objects.completeComposition(composition, expectationOf(Buffer.concat([large, Buffer.from('!')])))
    assert.equal((await objects.head('later'))?.bytes, large.length + 1)
  })

  test('during an outage everything ends in ObjectsUnavailable, and after it nothing has happened', async () => {
    await bucket.objects.put('still', Buffer.from('here'), labels)
    const composition = await bucket.objects.beginComposition('composed', labels)
    await bucket.objects.storeParts(composition, numbered([Buffer.from('composed')]))
    endpoint.follow(outage())
    const attempts = [
      objects.head('still'),
      objects.get('still'),
      objects.list(''),
      objects.put('still', Buffer.from('gone'), labels),
      objects.put('still', Readable.from([large]), labels),
      objects.copy({ key: 'still' }, 'copied', labels),
      objects.beginComposition('composed', labels),
      objects.storeParts(composition, inOrder([{ number: 2, copy: 'still', size: 4 }])),
      stored(objects, composition),
      objects.completeComposition(composition, expectationOf(Buffer.from('composed'))),
      objects.abortComposition(composition),
      objects.delete(['still']),
      objects.delete(['still\u0001']),
    ]
    for (const attempt of await Promise.allSettled(attempts)) {
      assert.ok(attempt.status === 'rejected' && attempt.reason instanceof ObjectsUnavailable, JSON.stringify(attempt))
    }
    endpoint.follow(undefined)
    assert.equal(await text((await objects.get('still')).stream), 'here')
    assert.equal(await objects.head('copied'), undefined)
    assert.equal(await objects.head('composed'), undefined)
    await objects.completeComposition(composition, expectationOf(Buffer.from('composed')))
  })
})
