import * as z from 'zod'
import type { Objects } from '../../shared/backends/objects/port.ts'
import { s3Client, s3Objects } from '../../shared/backends/objects/s3.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../shared/library/media/delivery.ts'
import { genericThumbnail } from '../../shared/tools/generic-thumbnail.ts'
import { customResource } from './custom-resource.ts'
import { emptyBucket } from './empty-bucket.ts'

const bucketNames = z.object({
  Media: z.string(),
  /** Those that go with the stack. */
  Emptied: z.array(z.string()),
})

/** Puts what every library has in its media bucket: the picture of files that have none of their own. */
export async function furnish(media: Pick<Objects, 'put'>): Promise<void> {
  const { bytes, mime } = genericThumbnail()
  await media.put(GENERIC_THUMBNAIL_KEY, bytes, { contentType: mime, cacheControl: 'public, max-age=86400' })
}

/** Handler of the custom resource `Custom::Buckets`: furnished when made; emptied before CloudFormation removes them, because it removes only empty ones. */
export const prepareBuckets = customResource(async ({ type, properties }) => {
  const { Media, Emptied } = bucketNames.parse(properties)
  const client = s3Client()
  if (type === 'Delete') for (const bucket of Emptied) await emptyBucket(client, bucket)
  else await furnish(s3Objects({ bucket: Media, client }))
  return {}
})
