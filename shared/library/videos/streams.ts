import type { MediaId } from '../../vocabulary/ids.ts'
import type { Access, AuthorizedReading } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { findCompany } from '../accounts/companies.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Forbidden, Invalid, NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { type Delivering, pictureUrl } from '../media/delivery.ts'
import { availableMediaWith, mediaWith } from '../media/find.ts'
import type { AvailableMedia } from '../media/media.ts'
import { videoObjects } from './objects.ts'
import {
  changeVideo,
  ensureVideo,
  getVideo,
  isPending,
  previewOf,
  queuedEncoding,
  type StoredVideo,
  type Stream,
  sourceOf,
  type VideoRecord,
  videoKey,
} from './video.ts'

interface Requesting extends Writing {
  access: Access<UserCaller>
}

/**
 * Asks for the public stream of a video. Needs WRITE on it, because a stream is public and costs money. An available or pending stream stays; a
 * failed one is tried again, under another address. The committed record starts the encoding. The encoding uses the present facts of the video,
 * unless its preview is pending: a repeated start must ask for the same job.
 * @param requestId the e-mail to the caller quotes it
 * @throws NotFound, Forbidden also where the company has no right to stream, Invalid for other files than videos, Conflict while it is being imported
 */
export async function requestStream(library: Requesting, mediaId: MediaId, requestId: string): Promise<void> {
  const media = await writableVideo(library, mediaId)
  const company = await findCompany(library, media.companyId)
  if (!company?.streaming)
    throw new Forbidden('Streaming is not enabled for this company. The operator can enable it.', 'streaming_not_enabled')
  const requester = library.access.caller.user.userId
  await retryOnConflict(async () => {
    const video = await ensureVideo(library, media)
    const wanted = wantedStream(video)
    if (!wanted) return
    const stream = { ...queuedEncoding(library, video.preview), requester, requestId }
    const isPresent = video.preview.stored === media.stored
    await changeVideo(library, video, { [wanted]: stream, ...(isPresent && !isPending(video.preview) && { source: sourceOf(media) }) })
  })
}

/** Which stream is to be made; undefined where there is one, or one is on its way. */
function wantedStream({ stream, nextStream }: VideoRecord): 'stream' | 'nextStream' | undefined {
  if (!stream || stream.state === 'failed') return 'stream'
  return nextStream?.state === 'failed' ? 'nextStream' : undefined
}

/** The stream of a file, once it can be played. Needs READ on the file. @throws NotFound with a code of its own where it could not be made, Forbidden */
export async function availableStream(library: AuthorizedReading, mediaId: MediaId): Promise<Stream> {
  const media = await mediaWith(library, 'READ', mediaId)
  const stream = (await getVideo(library, media.mediaId))?.stream
  if (stream?.state === 'failed') throw new NotFound('stream', 'The stream could not be made. It can be asked for again.', 'stream_failed')
  if (stream?.state !== 'available') throw new NotFound('stream')
  return stream
}

/** A video that the caller may change. @throws NotFound, Forbidden, Conflict while it is being imported, Invalid for what is no video */
export async function writableVideo(library: AuthorizedReading, mediaId: MediaId): Promise<AvailableMedia> {
  const media = await availableMediaWith(library, 'WRITE', mediaId)
  if (media.kind !== 'video') throw new Invalid({ path: 'id', message: 'must be the id of a video' }, 'not_a_video')
  return media
}

/** URLs of the posters of those files that are videos and have one, signed as thumbnails are. Checks no rights. */
export async function posterUrls(
  library: Reading & Delivering,
  files: readonly Pick<AvailableMedia, 'mediaId' | 'kind' | 'stored'>[],
): Promise<ReadonlyMap<MediaId, string>> {
  const videos = files.filter(({ kind }) => kind === 'video')
  const records = await library.table.getMany<StoredVideo>(videos.map(({ mediaId }) => videoKey(mediaId)))
  const stored = new Map(videos.map((video) => [video.mediaId, video.stored]))
  const urls = records
    .filter((video) => previewOf(video, { stored: stored.get(video.mediaId) })?.state === 'available' && video.preview.hasPoster)
    .map(async (video) => [video.mediaId, await pictureUrl(library, videoObjects.poster(video, video.preview.encodingId))] as const)
  return new Map(await Promise.all(urls))
}
