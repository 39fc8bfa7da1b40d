import type { MediaId } from '../../vocabulary/ids.ts'
import type { Access } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { findCompany } from '../accounts/companies.ts'
import { Forbidden } from '../errors.ts'
import type { Writing } from '../library.ts'
import { retryOnConflict } from '../retry.ts'
import { changeVideo, ensureVideo, isPending, queuedEncoding, sourceOf } from '../videos/video.ts'
import { writableVideo } from './writable-video.ts'

interface Requesting extends Writing {
  access: Access<UserCaller>
}

/**
 * Asks for the public stream of a video. Needs WRITE on it, because everybody may see a stream, and because it costs money. One that is there or
 * on its way stays; one that failed is tried again, under another address. The committed record starts the encoding.
 * What is known of the video by now counts, unless its preview is on its way, whose job stays the same each time it is asked for.
 * @param requestId the e-mail to the caller quotes it
 * @throws NotFound, Forbidden also where the company may make no streams, Invalid for what is no video, Conflict while it is being imported
 */
export async function requestStream(library: Requesting, mediaId: MediaId, requestId: string): Promise<void> {
  const media = await writableVideo(library, mediaId)
  const company = await findCompany(library, media.companyId)
  if (!company?.streaming)
    throw new Forbidden('Streaming is not enabled for this company. The operator can enable it.', 'streaming_not_enabled')
  const requester = library.access.caller.user.userId
  await retryOnConflict(async () => {
    const video = await ensureVideo(library, media)
    if (video.stream && video.stream.state !== 'failed') return
    const stream = { ...queuedEncoding(library), requester, requestId }
    await changeVideo(library, video, { stream, ...(!isPending(video.preview) && { source: sourceOf(media) }) })
  })
}
