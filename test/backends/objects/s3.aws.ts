import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { s3Objects } from '../../../shared/backends/objects/s3.ts'
import { s3UploadForms } from '../../../shared/backends/objects/s3-upload-form.ts'
import { keys, objectsContract } from './contract.ts'
import { uploadFormContract } from './upload-form-contract.ts'

const client = new S3Client({})
after(() => client.destroy())

async function bucket() {
  const name = `contract-${randomUUID()}`
  await client.send(new CreateBucketCommand({ Bucket: name }))
  const objects = s3Objects({ bucket: name, client })
  return {
    name,
    objects,
    async close() {
      await objects.delete(await keys(objects, ''))
      await client.send(new DeleteBucketCommand({ Bucket: name }))
    },
  }
}

objectsContract('S3', async () => {
  const [one, other] = await Promise.all([bucket(), bucket()])
  return {
    objects: one.objects,
    other: other.objects,
    async close() {
      await Promise.all([one.close(), other.close()])
    },
  }
})

uploadFormContract('S3', async () => {
  const { name, objects, close } = await bucket()
  const clock = { now: () => Date.now() }
  const endpoint = process.env.AWS_ENDPOINT_URL
  const region = await client.config.region()
  return { bucket: name, objects, close, now: clock.now, forms: s3UploadForms({ bucket: name, region, clock, endpoint }) }
})

const labels = { contentType: 'image/jpeg' }

describe('S3 objects', () => {
  test('an upload in parts that fails is aborted, so that nobody pays for its parts', async () => {
    const { name, objects, close } = await bucket()
    const failing = new S3Client({ maxAttempts: 1 })
    failing.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName === UploadPartCommand.name && (args.input as { PartNumber: number }).PartNumber === 3)
          throw new Error('broke')
        return next(args)
      },
      { step: 'initialize' },
    )
    const body = Readable.from([randomBytes(9 * 1024 ** 2), randomBytes(9 * 1024 ** 2), randomBytes(9 * 1024 ** 2)])
    await assert.rejects(s3Objects({ bucket: name, client: failing }).put('parts', body, labels), /broke/)
    assert.ok(body.destroyed, 'the source is let go')
    assert.equal(await objects.head('parts'), undefined)
    assert.deepEqual((await client.send(new ListMultipartUploadsCommand({ Bucket: name }))).Uploads ?? [], [])
    failing.destroy()
    await close()
  })

  test('objects carry a CRC-32', async () => {
    const { name, objects, close } = await bucket()
    await objects.put('whole', Buffer.from('bytes'), labels)
    await objects.put('parts', Readable.from([randomBytes(9 * 1024 ** 2)]), labels)
    for (const Key of ['whole', 'parts']) {
      const head = await client.send(new HeadObjectCommand({ Bucket: name, Key, ChecksumMode: 'ENABLED' }))
      assert.ok(head.ChecksumCRC32, Key)
    }
    await close()
  })

  test('a storage that is not there is unavailable', async () => {
    const nowhere = new S3Client({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 })
    const objects = s3Objects({ bucket: 'nowhere', client: nowhere })
    await assert.rejects(objects.head('key'), ObjectsUnavailable)
    await assert.rejects(objects.put('key', Buffer.from('x'), labels), ObjectsUnavailable)
    await assert.rejects(objects.list(''), ObjectsUnavailable)
    nowhere.destroy()
  })
})
