import type { MediaId } from '../../vocabulary/ids.ts'
import { versionsKept } from '../accounts/companies.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Writing } from '../library.ts'
import { formerFiles, numbersRemoval } from '../media/files.ts'
import { getMedia } from '../media/find.ts'
import { isAvailable } from '../media/media.ts'
import { overdueOf } from './overdue.ts'

/** Numbers that one transaction deletes. */
const AT_ONCE = 50

/**
 * Deletes the numbers of a file that its company no longer keeps. Idempotent; safe to run concurrently and to crash.
 * @returns whether others are to be deleted later
 */
export async function sweepFiles(library: Writing, mediaId: MediaId): Promise<boolean> {
  for (;;) {
    const { left, isMore } = await retryOnConflict(() => sweepSome(library, mediaId))
    if (left === 0) return isMore
  }
}

async function sweepSome(library: Writing, mediaId: MediaId): Promise<{ left: number; isMore: boolean }> {
  const media = await getMedia(library, mediaId)
  if (!media || !isAvailable(media)) return { left: 0, isMore: false }
  const [keep, former] = await Promise.all([versionsKept(library, media.companyId), formerFiles(library, mediaId)])
  const { gone, isMore } = overdueOf(media, former, keep, library.clock.now())
  if (gone.length > 0) await library.table.transact(numbersRemoval(library, media, gone.slice(0, AT_ONCE), former))
  return { left: Math.max(0, gone.length - AT_ONCE), isMore }
}
