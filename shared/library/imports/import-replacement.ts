import { ObjectMissing } from '../../backends/objects/port.ts'
import type { Digest } from '../../tools/digest.ts'
import { extractMetadata } from '../../tools/metadata/extraction.ts'
import { Workspace } from '../../tools/workspace.ts'
import type { Again } from '../jobs/run.ts'
import { formerFiles, type Replacement, replacements } from '../media/files.ts'
import { getMedia } from '../media/find.ts'
import { countingReplacement, crashedAttempts } from '../media/importing.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { formerWith, getReplacement, isSame, storedOf } from '../media/replacing.ts'
import { endAsFailed, endReplacement } from './end-replacement.ts'
import { type Fetched, fetchOriginal } from './fetch-original.ts'
import { type Importing, type ImportRun, MOST_CRASHES } from './import-run.ts'
import { inspect } from './inspect.ts'
import { isOutage } from './outage.ts'
import { factsOf, storeFile } from './store-file.ts'

/**
 * Imports the oldest replacement of a file that waits. The old file serves everything until one transaction makes the new one the current file. A replacement of
 * another kind of media, one whose own content makes the import fail to the last, and one at whose inspection three attempts crashed, ends as a number that
 * failed: it never becomes generic, because the old file is better than that. Idempotent; safe to run concurrently and to crash.
 * @returns that another run must continue, if time ran out or other replacements wait; undefined when done
 * @throws errors of infrastructure; the job is then retried
 */
export async function importReplacement(library: Importing, media: AvailableMedia, run: ImportRun): Promise<Again | undefined> {
  const waiting = await replacements(library, media.mediaId)
  const oldest = waiting.at(-1)
  if (!oldest) {
    // Left by a run that died after it had made a version of another library a number.
    const former = await formerFiles(library, media.mediaId)
    await library.uploads.delete(former.flatMap(({ uploadKey }) => uploadKey || []))
    return undefined
  }
  const hasEnded = await attempt(library, oldest, run)
  return hasEnded && waiting.length === 1 ? undefined : {}
}

/** @returns false if time ran out */
async function attempt(library: Importing, replacement: Replacement, { lastTry, digestObject }: ImportRun): Promise<boolean> {
  if (crashedAttempts(replacement) >= MOST_CRASHES) {
    await endAsFailed(library, replacement)
    return true
  }
  await using workspace = await Workspace.open('import')
  try {
    const local = workspace.path('original')
    const fetched = await fetchOriginal(library.uploads, replacement.uploadKey, local, digestObject)
    if (!fetched) return false
    await importFetched(library, replacement, workspace, { ...fetched, path: local })
  } catch (error) {
    // Another run has ended it, or the file was deleted: either removes the upload.
    if (error instanceof ObjectMissing && !(await getReplacement(library, replacement))) return true
    if (!lastTry || isOutage(error)) throw error
    await endAsFailed(library, replacement)
  }
  return true
}

async function importFetched(
  library: Importing,
  replacement: Replacement,
  workspace: Workspace,
  { digest, etag, isOutline, path }: Fetched & { path: string },
): Promise<void> {
  const media = await getMedia(library, replacement.mediaId)
  if (!media || !isAvailable(media) || (await isStored(library, media, digest))) return endReplacement(library, replacement, digest)
  const { filename } = replacement
  const inspection = await countingReplacement(library, replacement, () =>
    inspect(library, { path, isOutline, filename, into: workspace.directory }),
  )
  const { kind } = inspection.sniffed
  if (kind !== media.kind) return endAsFailed(library, replacement)
  const stored = storedOf(replacement)
  const file = { ...media, stored, uploadKey: replacement.uploadKey, kind }
  const renditions = await storeFile(library, file, { etag, crc32: digest.crc32 }, inspection)
  const facts = factsOf(digest, inspection, extractMetadata(inspection.tags?.texts ?? {}), renditions)
  await endReplacement(library, replacement, digest, { facts, labelled: media })
}

/** Whether the bytes are those of the current file or a former one. */
async function isStored(library: Importing, media: AvailableMedia, digest: Digest): Promise<boolean> {
  return isSame(media, digest) || (await formerWith(library, media.mediaId, digest)) !== undefined
}
