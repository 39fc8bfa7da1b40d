import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { emptyBucket } from '../../../infra/deployment/empty-bucket.ts'
import { s3Objects } from '../../../shared/backends/objects/s3.ts'

const client = new S3Client({})
after(() => client.destroy())

describe('a bucket that goes with its stack', () => {
  const put = (Bucket: string, Key: string) => client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
  const version = (Bucket: string, Status: 'Enabled' | 'Suspended') =>
    client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }))

  test('is emptied whole, however many pages of objects it has', async () => {
    const bucket = `emptied-${randomUUID()}`
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    for (let n = 0; n < 1_050; n += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => put(bucket, `a/${n + at}`)))
    await put(bucket, 'ä + name & <sign>')
    await emptyBucket(client, bucket)
    // S3 removes empty buckets only.
    await client.send(new DeleteBucketCommand({ Bucket: bucket }))
  })

  test('is emptied of the versions and the markers of deletions that it has kept', async () => {
    const bucket = `emptied-${randomUUID()}`
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    await put(bucket, 'before')
    await version(bucket, 'Enabled')
    await put(bucket, 'twice')
    await put(bucket, 'twice')
    await put(bucket, 'deleted')
    const objects = s3Objects({ bucket, client })
    await objects.delete(['deleted', 'before'])
    assert.deepEqual(
      (await objects.list('')).objects.map(({ key }) => key),
      ['twice'],
      'a deleted object is no object',
    )
    assert.equal(await objects.head('deleted'), undefined)
    await version(bucket, 'Suspended')
    const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: bucket }))
    assert.deepEqual([Versions.length, DeleteMarkers.length], [4, 2])
    await emptyBucket(client, bucket)
    await client.send(new DeleteBucketCommand({ Bucket: bucket }))
  })
})
