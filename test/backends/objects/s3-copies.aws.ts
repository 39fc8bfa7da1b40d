import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type CopyInRuns, CopyUnfinished } from '../../../shared/backends/objects/port.ts'
import { within } from '../../../shared/deadline.ts'
import { expectationOf, inOrder } from './compositions-contract.ts'
import { bytes } from './contract.ts'
import { type TemporaryBucket, temporaryBucket } from './temporary-bucket.ts'

const MiB = 1024 ** 2
const labels = { contentType: 'image/jpeg' }

/** Cases of the contracts that versitygw fails, over ministack. */
describe('copies that S3 makes part by part', () => {
  const client = new S3Client({})
  let bucket: TemporaryBucket
  beforeAll(async () => {
    bucket = await temporaryBucket(client)
  })
  afterAll(async () => {
    await bucket.close()
    client.destroy()
  })

  test('a large object is copied whole', async () => {
    const { objects } = bucket
    const large = randomBytes(129 * MiB)
    const { etag } = await objects.put('large', large, labels)
    await objects.copy({ key: 'large', etag }, 'copy', labels)
    assert.ok((await bytes((await objects.get('copy')).stream)).equals(large))
  })

  test('a large object is copied by several runs, of which each has time for a part', async () => {
    const { objects } = bucket
    let large = randomBytes(129 * MiB)
    await objects.put('large', large, labels)
    const inRuns: CopyInRuns = {
      begun: undefined,
      async begin(copy) {
        this.begun = copy
      },
    }
    const run = () => within(0, () => objects.copy({ key: 'large' }, 'slow copy', labels, inRuns))
    await assert.rejects(run(), CopyUnfinished)
    large = randomBytes(129 * MiB)
    await objects.put('large', large, labels)
    const { begun } = inRuns
    await assert.rejects(run(), CopyUnfinished)
    assert.notEqual(inRuns.begun?.id, begun?.id, 'the object was replaced')
    await assert.rejects(run(), CopyUnfinished)
    assert.equal(await objects.head('slow copy'), undefined)
    assert.equal((await run()).bytes, large.length)
    assert.ok((await bytes((await objects.get('slow copy')).stream)).equals(large))
  })

  test('a composition is its parts in order: bytes, objects and ranges of objects', async () => {
    const { objects } = bucket
    const [first, source] = [randomBytes(5 * MiB), randomBytes(12 * MiB)]
    await objects.put('source', source, labels)
    const composition = await objects.beginComposition('composed', labels)
    await objects.storeParts(
      composition,
      inOrder([
        { number: 1, bytes: first },
        { number: 2, copy: 'source', size: source.length },
        { number: 3, copy: 'source', start: 7, end: 6 * MiB },
        { number: 4, bytes: Buffer.from('!') },
      ]),
    )
    const whole = Buffer.concat([first, source, source.subarray(7, 6 * MiB + 1), Buffer.from('!')])
    await objects.completeComposition(composition, expectationOf(whole))
    assert.ok((await bytes((await objects.get('composed')).stream)).equals(whole))
  })
})
