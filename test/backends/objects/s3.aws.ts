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
import { systemClock } from '../../../shared/backends/clock/port.ts'
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

async function openForms() {
  const { name, objects, close } = await bucket()
  const region = await client.config.region()
  const forms = s3UploadForms({ bucket: name, region, clock: systemClock, endpoint: process.env.AWS_ENDPOINT_URL })
  return { bucket: name, objects, close, now: systemClock.now, forms }
}

uploadFormContract('S3', openForms, {
  'the name is what follows the last separator': 'ministack keeps the path',
  'a name may be of any script, in raw UTF-8': 'ministack reads it as Latin-1',
  'fields after the file are ignored': 'ministack reads them',
  'a form with the file first is refused': 'ministack reads fields in any order',
  'fields of more than 20 KB are refused': 'ministack has no limit',
  'a name that makes the key too long is refused': 'ministack stores keys of any length',
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
