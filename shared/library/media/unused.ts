import type { Objects } from '../../backends/objects/port.ts'
import type { Reading } from '../library.ts'
import { formerFiles } from './files.ts'
import { getMedia } from './find.ts'
import { isAvailable, type MediaRecord } from './media.ts'
import { removeStored } from './stored-removal.ts'

type Stored = Pick<MediaRecord, 'companyId' | 'mediaId' | 'stored'>

/** Removes what is stored of bytes of a file, unless one of its numbers has them. Idempotent. */
export async function removeUnused(library: Reading & { media: Objects }, stored: Stored): Promise<void> {
  if (!(await isUsed(library, stored))) await removeStored(library, stored)
}

/** An exchange moves the bytes of the current number to a former one, so the current one is read first, and once more after an exchange. */
async function isUsed(library: Reading, { mediaId, stored }: Stored): Promise<boolean> {
  for (let media = await getMedia(library, mediaId); media; ) {
    if (!isAvailable(media) || media.stored === stored) return true
    const formers = await formerFiles(library, mediaId)
    if (formers.some((former) => former.state === 'available' && former.stored === stored)) return true
    const now = await getMedia(library, mediaId)
    if (now?.revision === media.revision) return false
    media = now
  }
  return false
}
