import type { Objects } from '../../backends/objects/port.ts'
import type { Operation } from '../../backends/table/port.ts'
import type { MediaId, StoredId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { removeBelow } from '../remove-below.ts'
import type { MediaRecord } from './media.ts'
import { objectKeys } from './objects.ts'

/**
 * Removes what is stored of numbers of a file that were deleted, or of a replacement that became none. null: what is stored of its first file. `uploadKey` is that
 * of the replacement, whose upload may still be there.
 */
export const storedRemovalJob = new JobKind<{ mediaId: MediaId; stored: (StoredId | null)[]; uploadKey?: string }>('remove-numbers')

/** The write that asks for it, in the transaction after which no number has these bytes. No other ever gets them: stored ids are not used again. */
export function askForStoredRemoval(
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>,
  stored: readonly (StoredId | undefined)[],
  uploadKey?: string,
): Operation {
  const named = stored.map((each) => each ?? null)
  const input = { mediaId, stored: named, ...(uploadKey !== undefined && { uploadKey }) }
  return storedRemovalJob.ask(library, { companyId, subject: `${mediaId}-${named[0] ?? 'first'}`, input })
}

/** Removes original, tags and renditions of a file that was current once. Idempotent. */
export async function removeStored(
  library: { media: Objects },
  file: Pick<MediaRecord, 'companyId' | 'mediaId' | 'stored'>,
): Promise<void> {
  const { media } = library
  if (file.stored !== undefined) return removeBelow(media, objectKeys.files(file, file.stored))
  await removeBelow(media, objectKeys.renditions(file))
  await media.delete([objectKeys.original(file), objectKeys.tags(file)])
}
