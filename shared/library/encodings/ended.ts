import { held } from '../conditional.ts'
import type { Writing } from '../library.ts'
import { askForEncoding } from '../videos/job.ts'
import { type VideoRecord, videoKey } from '../videos/video.ts'

/**
 * The transcoder tells that a job of a video has ended: the video's job runs at once. May come twice, late and in any order. Does nothing for a video
 * that is gone.
 */
export async function transcodingEnded(
  library: Writing,
  { companyId, mediaId }: Pick<VideoRecord, 'companyId' | 'mediaId'>,
): Promise<void> {
  const { table, clock } = library
  const told = { update: videoKey(mediaId), changes: { set: { toldAt: clock.now() } }, if: { companyId: { equals: companyId } } }
  await held(table.transact({ told, encoding: askForEncoding(library, { companyId, mediaId }) }))
}
