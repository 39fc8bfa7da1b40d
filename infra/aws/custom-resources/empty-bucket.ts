import { DeleteObjectCommand, DeleteObjectsCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { fitsXml, listedKey } from '../../../shared/backends/objects/s3-values.ts'
import { isNamed } from './s3-errors.ts'

interface Version {
  Key: string
  VersionId: string | undefined
}

/** How often in a row a bucket must be found empty, and the pause between, because the policy that closes it takes effect within seconds. */
const STAYS_EMPTY = { times: 4, pauseMs: 5_000 }

/**
 * Deletes everything in a bucket, page by page, until it stays empty: objects, earlier versions and delete markers. CloudFormation removes only
 * buckets without any of these. A missing bucket counts as empty.
 * @throws Error when something can't be deleted
 */
export async function emptyBucket(client: S3Client, bucket: string, { times, pauseMs } = STAYS_EMPTY): Promise<void> {
  try {
    for (let foundEmpty = 0; foundEmpty < times; ) {
      // Always the first page, because the objects of the last one are deleted.
      const found = await firstVersions(client, bucket)
      if (found.length > 0) await deleteVersions(client, bucket, found)
      foundEmpty = found.length > 0 ? 0 : foundEmpty + 1
      if (foundEmpty > 0 && foundEmpty < times) await systemClock.sleep(pauseMs)
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
  // A request to delete several keys is XML, which can't hold every key.
  const { single = [], batched = [] } = Object.groupBy(versions, ({ Key }) => (fitsXml(Key) ? 'batched' : 'single'))
  for (const version of single) await client.send(new DeleteObjectCommand({ Bucket: bucket, ...version }))
  if (batched.length === 0) return
  const { Errors: errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Quiet: true, Objects: batched } }))
  const [first] = errors
  if (first) throw new Error(`${errors.length} of ${batched.length} objects in ${bucket} were not deleted: ${first.Code} ${first.Message}`)
}
