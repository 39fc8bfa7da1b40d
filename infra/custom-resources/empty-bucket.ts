import { setTimeout as pause } from 'node:timers/promises'
import { DeleteObjectCommand, DeleteObjectsCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3'
import { fitsXml, listedKey } from '../../shared/backends/objects/s3-values.ts'
import { isNamed } from './s3-errors.ts'

interface Version {
  Key: string
  VersionId: string | undefined
}

/** How often in a row a bucket must be found empty, with so many milliseconds between the looks: a policy takes hold within seconds. */
const STAYS_EMPTY = { looks: 4, pauseMs: 5_000 }

/**
 * Deletes everything in a bucket, page by page, until it stays empty: objects, and what a bucket keeps that was versioned at any time,
 * earlier versions and the markers of deletions. CloudFormation removes only buckets without any of these. A bucket that isn't there is
 * empty.
 * @throws Error when something can't be deleted
 */
export async function emptyBucket(client: S3Client, bucket: string, { looks, pauseMs } = STAYS_EMPTY): Promise<void> {
  try {
    for (let emptyLooks = 0; emptyLooks < looks; ) {
      // No cursor: what was on the page is gone, so the next page is the first again.
      const found = await firstVersions(client, bucket)
      if (found.length > 0) await deleteVersions(client, bucket, found)
      emptyLooks = found.length > 0 ? 0 : emptyLooks + 1
      if (emptyLooks > 0 && emptyLooks < looks) await pause(pauseMs)
    }
  } catch (error) {
    if (!isNamed(error, 'NoSuchBucket')) throw error
  }
}

async function firstVersions(client: S3Client, bucket: string): Promise<Version[]> {
  const page = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, EncodingType: 'url' }))
  const found = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])]
  const encoded = page.EncodingType === 'url'
  return found.map(({ Key, VersionId }) => ({ Key: encoded ? listedKey(Key!) : Key!, VersionId }))
}

async function deleteVersions(client: S3Client, bucket: string, versions: readonly Version[]): Promise<void> {
  // A request for many keys is XML.
  const { single = [], batched = [] } = Object.groupBy(versions, ({ Key }) => (fitsXml(Key) ? 'batched' : 'single'))
  for (const version of single) await client.send(new DeleteObjectCommand({ Bucket: bucket, ...version }))
  if (batched.length === 0) return
  const { Errors: errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Quiet: true, Objects: batched } }))
  const [first] = errors
  if (first) throw new Error(`${errors.length} of ${batched.length} objects in ${bucket} were not deleted: ${first.Code} ${first.Message}`)
}
