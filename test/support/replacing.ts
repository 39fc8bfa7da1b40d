import type { Objects } from '../../shared/backends/objects/port.ts'
import { importMedia } from '../../shared/library/imports/import-media.ts'
import type { Writing } from '../../shared/library/library.ts'
import { type Replacement, replacementCreation } from '../../shared/library/media/files.ts'
import { findMedia } from '../../shared/library/media/find.ts'
import { askForImport } from '../../shared/library/media/importing.ts'
import { newReplacementId } from '../../shared/library/media/replacing.ts'
import { type MediaId, toUserId } from '../../shared/vocabulary/ids.ts'

/** Who replaces files where a test says no other. */
export const REPLACER = toUserId(302)

/** What a test says of a replacement. */
type GivenReplacement = Partial<Pick<Replacement, 'filename' | 'uploadedBy' | 'comment' | 'by' | 'former'>>

/** Stores an upload as a replacement of a file, as finalizing leaves it: it waits for its import. */
export async function finalizeReplacement(
  library: Writing & { uploads: Objects },
  mediaId: MediaId,
  bytes: Uint8Array,
  given: GivenReplacement = {},
): Promise<Replacement> {
  const { companyId } = await findMedia(library, mediaId)
  const id = await newReplacementId(library, mediaId)
  const { filename = 'replacement.jpg', uploadedBy = REPLACER, by = library.by } = given
  const uploadKey = `replacing-${id}/${filename}`
  await library.uploads.put(uploadKey, Buffer.from(bytes), { contentType: 'application/octet-stream' })
  const times = { created: library.clock.now(), bytes: bytes.length }
  const replacement: Replacement = { mediaId, companyId, id, filename, uploadKey, uploadedBy, by, ...times, ...given }
  await library.table.transact({ replacement: replacementCreation(replacement), import: askForImport(library, replacement) })
  return replacement
}

/** Replaces a file and imports that. @param library what an import uses */
export async function replaceFile(
  library: Parameters<typeof importMedia>[0] & { uploads: Objects },
  mediaId: MediaId,
  bytes: Uint8Array,
  given: GivenReplacement = {},
): Promise<Replacement> {
  const replacement = await finalizeReplacement(library, mediaId, bytes, given)
  while (await importMedia(library, mediaId)) {}
  return replacement
}
