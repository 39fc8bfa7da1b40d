import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { HeadObjectCommand, ListMultipartUploadsCommand, PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { afterAll, describe, onTestFinished, test } from 'vitest'
import { CACHE_TAG_HEADER, InvalidParts, STORED_AI_HEADER } from '../../../shared/backends/objects/port.ts'
import { s3Objects } from '../../../shared/backends/objects/s3.ts'
import { compositionsContract, expectationOf, inOrder, numbered, stored } from './compositions-contract.ts'
import { objectsContract, twoBuckets } from './contract.ts'
import { compositionDeviations, objectsDeviations } from './s3-deviations.ts'
import { temporaryBucket } from './temporary-bucket.ts'

const client = new S3Client({})
afterAll(() => client.destroy())

const open = () => twoBuckets(() => temporaryBucket(client))
objectsContract('S3', open, objectsDeviations)
compositionsContract('S3', open, compositionDeviations)

const labels = { contentType: 'image/jpeg' }
const MiB = 1024 ** 2

describe('S3 objects', () => {
  async function ofTest() {
    const bucket = await temporaryBucket(client)
    onTestFinished(() => bucket.close())
    return bucket
  }

  test('an upload in parts that fails is aborted, so that nobody pays for its parts', async () => {
    const { name, objects } = await ofTest()
    const failing = new S3Client({ maxAttempts: 1 })
    failing.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName === UploadPartCommand.name && (args.input as { PartNumber: number }).PartNumber === 3)
          throw new Error('broke')
        return next(args)
      },
      { step: 'initialize' },
    )
    const body = Readable.from([randomBytes(9 * MiB), randomBytes(9 * MiB), randomBytes(9 * MiB)])
    await assert.rejects(s3Objects({ bucket: name, client: failing }).put('parts', body, labels), /broke/)
    assert.ok(body.destroyed, 'the source is let go')
    assert.equal(await objects.head('parts'), undefined)
    assert.deepEqual((await client.send(new ListMultipartUploadsCommand({ Bucket: name }))).Uploads ?? [], [])
    failing.destroy()
  })

  test('a cache tag, and how a picture came about, are the metadata that S3 tells in the headers of the port', async () => {
    const { name, objects } = await ofTest()
    await objects.put('tagged', Buffer.from('bytes'), { ...labels, cacheTag: 'link-1', ai: 'generated' })
    const { Metadata } = await client.send(new HeadObjectCommand({ Bucket: name, Key: 'tagged' }))
    assert.deepEqual(Object.fromEntries(Object.entries(Metadata!).map(([name, value]) => [`x-amz-meta-${name}`, value])), {
      [CACHE_TAG_HEADER]: 'link-1',
      [STORED_AI_HEADER]: 'generated',
    })
  })

  test('a composition carries the CRC-32 of the whole object', async () => {
    const { name, objects } = await ofTest()
    const source = randomBytes(6 * MiB)
    // With another checksum than CRC-32, so that the copied ranges' own must be computed.
    await client.send(new PutObjectCommand({ Bucket: name, Key: 'source', Body: source, ChecksumAlgorithm: 'SHA256' }))
    const head = randomBytes(5 * MiB)
    const range = { start: 7, end: 5 * MiB + 6 }
    const whole = Buffer.concat([head, source.subarray(range.start, range.end + 1), source.subarray(MiB)])
    const composition = await objects.beginComposition('composed', labels)
    await objects.storeParts(
      composition,
      inOrder([
        { number: 1, bytes: head },
        { number: 2, copy: 'source', ...range },
        { number: 3, copy: 'source', start: MiB, end: 6 * MiB - 1 },
      ]),
    )
    await objects.completeComposition(composition, expectationOf(whole))
    const expected = Buffer.alloc(4)
    expected.writeUInt32BE(crc32(whole))
    const { ChecksumCRC32 } = await client.send(new HeadObjectCommand({ Bucket: name, Key: 'composed', ChecksumMode: 'ENABLED' }))
    assert.equal(ChecksumCRC32, expected.toString('base64'))
  })

  test('a composition has more parts than one page lists, and a small one that is not the last is refused', async () => {
    const { objects } = await ofTest()
    const composition = await objects.beginComposition('many', labels)
    const parts = Array.from({ length: 1003 }, (_, index) => Buffer.from(String(index)))
    await objects.storeParts(composition, numbered(parts))
    assert.deepEqual(
      await stored(objects, composition),
      parts.map(({ length }, index) => ({ number: index + 1, bytes: length })),
    )
    await assert.rejects(objects.completeComposition(composition, expectationOf(Buffer.concat(parts))), InvalidParts)
    assert.equal(await objects.head('many'), undefined)
  })
})
