import * as z from 'zod'
import type { Objects } from '../../../shared/backends/objects/port.ts'
import { s3Client, s3Objects } from '../../../shared/backends/objects/s3.ts'
import { CONSOLE_FILES } from '../../../shared/library/links/public-keys.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../shared/library/media/delivery.ts'
import { PLAYER_FILES } from '../../../shared/library/videos/objects.ts'
import { genericThumbnail } from '../../../shared/tools/generic-thumbnail.ts'
import { type ConsoleFile, consoleFiles } from '../../clients/console/console-files.ts'
import { type PlayerFile, playerFiles } from '../../clients/player/player-files.ts'
import type { PlayerSources } from '../../clients/player/player-sources.ts'
import { closeBucket } from './close-bucket.ts'
import { customResource } from './custom-resource.ts'
import { emptyBucket } from './empty-bucket.ts'

const Properties = z.object({
  /** Names of buckets. */
  Media: z.string(),
  Public: z.string(),
  /** Buckets that are removed with the stack. */
  Emptied: z.array(z.string()),
  /** Of AWS, as in ARNs. */
  Partition: z.string(),
  CdnUrl: z.string(),
  PlayerUrl: z.string(),
  FormerCdnUrls: z.array(z.string()),
})

/** Stores the first object of every media bucket: the picture of files without a picture of their own. */
async function storeGenericThumbnail(media: Pick<Objects, 'put'>): Promise<void> {
  const { bytes, mime } = genericThumbnail()
  await media.put(GENERIC_THUMBNAIL_KEY, bytes, { contentType: mime, cacheControl: 'public, max-age=86400' })
}

/**
 * Stores a page of the service's own with what it loads. The page comes last: what it loads is there before it.
 * @param prefix of the keys
 */
async function storePage(publicFiles: Pick<Objects, 'put'>, prefix: string, files: readonly (PlayerFile | ConsoleFile)[]): Promise<void> {
  const isPage = ({ path }: { path: string }) => path === 'index.html'
  for (const { path, body, contentType, cacheControl } of [...files.filter((file) => !isPage(file)), ...files.filter(isPage)])
    await publicFiles.put(prefix + path, Buffer.from(body), { contentType, cacheControl })
}

/**
 * Makes the handler of the custom resource `Custom::Buckets`. It stores the first objects when the stack is made, and again when they change.
 * It closes and empties buckets before CloudFormation removes them, because it removes only empty ones.
 * @param player what the player is made of
 * @param consoleDirectory where the function's package holds the built console
 */
export const prepareBuckets = (player: PlayerSources, consoleDirectory: string) =>
  customResource(async ({ type, properties }) => {
    const { Media, Public, Emptied, Partition, CdnUrl, PlayerUrl, FormerCdnUrls } = Properties.parse(properties)
    const client = s3Client()
    if (type === 'Delete') {
      await Promise.all(Emptied.map((bucket) => closeBucket(client, bucket, Partition)))
      await Promise.all(Emptied.map((bucket) => emptyBucket(client, bucket)))
    } else {
      await storeGenericThumbnail(s3Objects({ bucket: Media, client }))
      const publicFiles = s3Objects({ bucket: Public, client })
      await storePage(
        publicFiles,
        PLAYER_FILES,
        playerFiles({ cdnUrl: CdnUrl, playerUrl: PlayerUrl, formerCdnUrls: FormerCdnUrls }, player),
      )
      await storePage(publicFiles, CONSOLE_FILES, await consoleFiles(consoleDirectory))
    }
    return {}
  })
