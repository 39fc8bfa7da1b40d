import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetBucketPolicyCommand,
  ListObjectVersionsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, describe, test } from 'vitest'
import { closeBucket } from '../../../../infra/aws/custom-resources/close-bucket.ts'
import { emptyBucket } from '../../../../infra/aws/custom-resources/empty-bucket.ts'
import { s3Objects } from '../../../../shared/backends/objects/s3.ts'
import { ALL_RIGHTS } from '../../../permissions/account.ts'
import { isAllowed } from '../../../permissions/policy.ts'

const client = new S3Client({})
afterAll(() => client.destroy())

const quick = { times: 3, pauseMs: 10 }

describe('a bucket that goes with its stack', () => {
  async function newBucket(): Promise<string> {
    const Bucket = `emptied-${randomUUID()}`
    await client.send(new CreateBucketCommand({ Bucket }))
    return Bucket
  }
  /** Empties and removes a bucket: S3 removes empty ones only. */
  async function removed(Bucket: string): Promise<void> {
    await emptyBucket(client, Bucket, quick)
    await client.send(new DeleteBucketCommand({ Bucket }))
  }
  const put = (Bucket: string, Key: string) => client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
  const version = (Bucket: string, Status: 'Enabled' | 'Suspended') =>
    client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }))

  test('is emptied whole, however many pages of objects it has', async () => {
    const bucket = await newBucket()
    for (let n = 0; n < 1_050; n += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => put(bucket, `a/${n + at}`)))
    await put(bucket, 'ä + name & <sign>')
    await removed(bucket)
  })

  test('is emptied of the versions and the markers of deletions that it has kept', async () => {
    const bucket = await newBucket()
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
    await removed(bucket)
  })

  test('is emptied until it stays empty: what was under way arrives meanwhile', async () => {
    const bucket = await newBucket()
    let looks = 0
    const late: Pick<S3Client, 'send'> = {
      async send(command: Parameters<S3Client['send']>[0]) {
        const answer = await client.send(command)
        // After the bucket was found empty, twice.
        if (command instanceof ListObjectVersionsCommand && ++looks <= 2) await put(bucket, `late-${looks}`)
        return answer
      },
    }
    await emptyBucket(late as S3Client, bucket, quick)
    await client.send(new DeleteBucketCommand({ Bucket: bucket }))
  })

  test('counts as empty, and as closed, when it is gone already', async () => {
    const bucket = `never-made-${randomUUID()}`
    await closeBucket(client, bucket, 'aws')
    await emptyBucket(client, bucket, quick)
  })

  test('takes nothing more once it is closed, and keeps what its policy said', async () => {
    const bucket = await newBucket()
    await put(bucket, 'before')
    const known = { Sid: 'Known', Effect: 'Deny', Principal: '*', Action: 's3:GetObjectAcl', Resource: `arn:aws:s3:::${bucket}/*` }
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [known] })
    await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }))
    // Twice, as after a deletion that was cut off.
    for (let n = 0; n < 2; n++) await closeBucket(client, bucket, 'aws')
    const { Policy: closed = '' } = await client.send(new GetBucketPolicyCommand({ Bucket: bucket }))
    const refusal = { Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource: `arn:aws:s3:::${bucket}/*` }
    assert.deepEqual(JSON.parse(closed).Statement, [known, { Sid: 'StackIsBeingDeleted', ...refusal }])
    // The emulator doesn't hold the account's owner to a bucket's policy: it is judged here, for somebody who may do everything else.
    const may = (action: string) => {
      const statements = [{ Effect: 'Allow', Action: '*', Resource: '*' }, ...JSON.parse(closed).Statement]
      return isAllowed(statements, { by: ALL_RIGHTS, action, resource: `arn:aws:s3:::${bucket}/after` })
    }
    assert.deepEqual([may('s3:PutObject'), may('s3:DeleteObjectVersion')], [false, true])
    await removed(bucket)
  })
})
