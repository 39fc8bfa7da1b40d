import { DeleteObjectCommand, DeleteObjectsCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3'
import { fitsXml, listedKey } from '../../shared/backends/objects/s3-values.ts'

interface Version {
  Key: string
  VersionId: string | undefined
}

/**
 * Deletes everything in a bucket, page by page: objects, and what a bucket keeps that was versioned at any time, earlier versions and
 * the markers of deletions. CloudFormation removes only buckets without any of these.
 * @throws Error when something can't be deleted
 */
export async function emptyBucket(client: S3Client, bucket: string): Promise<void> {
  for (;;) {
    // No cursor: what was on the page is gone, so the next page is the first again.
    const page = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, EncodingType: 'url' }))
    const found = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])]
    if (found.length === 0) return
    const encoded = page.EncodingType === 'url'
    const versions = found.map(({ Key, VersionId }) => ({ Key: encoded ? listedKey(Key!) : Key!, VersionId }))
    await deleteVersions(client, bucket, versions)
  }
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
