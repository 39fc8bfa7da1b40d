import * as z from 'zod'
import type { Objects } from '../../shared/backends/objects/port.ts'
import { s3Client, s3Objects } from '../../shared/backends/objects/s3.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../shared/library/media/delivery.ts'
import { genericThumbnail } from '../../shared/tools/generic-thumbnail.ts'
import { closeBucket } from './close-bucket.ts'
import { customResource } from './custom-resource.ts'
import { emptyBucket } from './empty-bucket.ts'

const bucketNames = z.object({
  Media: z.string(),
  /** Buckets that are removed with the stack. */
  Emptied: z.array(z.string()),
  /** Of AWS, as in ARNs. */
  Partition: z.string(),
})

/** Stores the first object of every media bucket: the picture of files without a picture of their own. */
export async function storeGenericThumbnail(media: Pick<Objects, 'put'>): Promise<void> {
  const { bytes, mime } = genericThumbnail()
  await media.put(GENERIC_THUMBNAIL_KEY, bytes, { contentType: mime, cacheControl: 'public, max-age=86400' })
}

/**
 * Handler of the custom resource `Custom::Buckets`. It stores the first objects when the stack is made, and closes and empties buckets before
 * CloudFormation removes them, because it removes only empty ones.
 */
export const prepareBuckets = customResource(async ({ type, properties }) => {
  const { Media, Emptied, Partition } = bucketNames.parse(properties)
  const client = s3Client()
  if (type === 'Delete') {
    await Promise.all(Emptied.map((bucket) => closeBucket(client, bucket, Partition)))
    await Promise.all(Emptied.map((bucket) => emptyBucket(client, bucket)))
  } else await storeGenericThumbnail(s3Objects({ bucket: Media, client }))
  return {}
})
