import type { Objects } from '../../backends/objects/port.ts'
import type { Operation } from '../../backends/table/port.ts'
import type { MediaId, StoredId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { removeBelow } from '../remove-below.ts'
import type { MediaRecord } from './media.ts'
import { objectKeys } from './objects.ts'

/** Removes what is stored of numbers of a file that were deleted. null: what is stored of its first file. */
export const storedRemovalJob = new JobKind<{ mediaId: MediaId; stored: (StoredId | null)[] }>('remove-numbers')

/** The write that asks for it, in the transaction that deletes the last numbers with these bytes. No other ever gets them: stored ids are not used again. */
export function askForStoredRemoval(
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>,
  stored: readonly (StoredId | undefined)[],
): Operation {
  const named = stored.map((each) => each ?? null)
  return storedRemovalJob.ask(library, { companyId, subject: `${mediaId}-${named[0] ?? 'first'}`, input: { mediaId, stored: named } })
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
