import { randomUUID } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  ListMultipartUploadsCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import { s3Objects } from '../../../shared/backends/objects/s3.ts'
import { keys } from './contract.ts'

/** A bucket of S3 under a name of its own. */
export interface TemporaryBucket {
  name: string
  objects: Objects
  /** Removes it with all that is in it, uploads that were never ended included. */
  close(): Promise<void>
}

/** @param client what the bucket is made, emptied and removed with, and used with unless the caller makes other `Objects` */
export async function temporaryBucket(client: S3Client): Promise<TemporaryBucket> {
  const name = `contract-${randomUUID()}`
  await client.send(new CreateBucketCommand({ Bucket: name }))
  const objects = s3Objects({ bucket: name, client })
  return {
    name,
    objects,
    async close() {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: name }))
      for (const { Key, UploadId } of Uploads) await client.send(new AbortMultipartUploadCommand({ Bucket: name, Key, UploadId }))
      await objects.delete(await keys(objects, ''))
      await client.send(new DeleteBucketCommand({ Bucket: name }))
    },
  }
}
