import type { ObjectReader } from '../../backends/objects/port.ts'
import { ConditionFailed } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { LibraryError, QuotaExceeded } from '../errors.ts'
import type { Writing } from '../library.ts'
import { type HeldFile, heldIn, heldKey } from '../quota/held-files.ts'
import { roomIn } from '../quota/quota.ts'
import { makeFile } from './complete-parts.ts'
import type { IntoFolder } from './destination.ts'
import type { PartUploadRecord } from './part-upload.ts'
import { makePostedFile, postedFile, stillAllowed, type UploadRecord, uploadKey } from './uploads.ts'

/** Replacements of files are never held. */
type HeldUpload = (UploadRecord | PartUploadRecord) & IntoFolder

/** Dependencies of a run. */
interface Finalizing extends Writing {
  uploads: ObjectReader
}

/**
 * Finalizes held uploads that fit into a company's quota, oldest first. Uploads that have ended, or may no longer become files, are held no longer.
 * @param outOfTime whether the rest is left to the next run
 * @returns whether uploads are still held
 */
export async function finalizeHeld(library: Finalizing, companyId: CompanyId, outOfTime: () => boolean): Promise<boolean> {
  const { table, clock } = library
  let room = await roomIn(library, companyId)
  let waits = false
  for (const file of await heldIn(library, companyId)) {
    if (outOfTime()) return true
    const upload = await table.get<HeldUpload>(uploadKey(file.uploadId))
    const isOver = !upload || upload.mediaId !== undefined || upload.expires * 1000 <= clock.now()
    if (!isOver && file.bytes > room) waits = true
    else if (isOver || (await finalize(library, upload, file))) {
      await table.delete(heldKey(companyId, file.uploadId))
      if (!isOver) room -= file.bytes
    } else waits = true
  }
  return waits
}

/** @returns false where there is no room after all */
async function finalize(library: Finalizing, upload: HeldUpload, { key, by }: HeldFile): Promise<boolean> {
  try {
    const making = { ...library, by }
    if ('parts' in upload) await makeFile(making, upload, await stillAllowed(library, upload))
    else await makePostedFile(making, upload, await postedFile(library, upload.uploadId, key))
    return true
  } catch (error) {
    if (error instanceof QuotaExceeded) return false
    if (error instanceof ConditionFailed || error instanceof LibraryError) return true
    throw error
  }
}
