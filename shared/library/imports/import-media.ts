import { ObjectMissing } from '../../backends/objects/port.ts'
import { type ExtractedMetadata, extractMetadata } from '../../tools/metadata/extraction.ts'
import { Workspace } from '../../tools/workspace.ts'
import { CATALOGUE, type MediaId } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { snapshotOf } from '../index-snapshots/job.ts'
import { asksForSnapshot } from '../index-snapshots/sample.ts'
import type { DigestObject } from '../jobs/digest-in-runs.ts'
import type { Again } from '../jobs/run.ts'
import { getMedia, getTombstone } from '../media/find.ts'
import { countingAttempt, crashedAttempts, importEnd, reportProgress } from '../media/importing.ts'
import { type EditableMetadata, type FileFacts, isAvailable, type MediaRecord, missingMetadata } from '../media/media.ts'
import { removeObjects, removeRenditions } from '../media/objects.ts'
import { removeRemains } from '../media/remains.ts'
import { lacksSuggestions } from '../media/suggestions.ts'
import { videoCreation } from '../videos/video.ts'
import { digestAtOnce, fetchOriginal } from './fetch-original.ts'
import { importReplacement } from './import-replacement.ts'
import { type Importing, type ImportRun, MOST_CRASHES } from './import-run.ts'
import { type Inspection, inspect, OPAQUE } from './inspect.ts'
import { isOutage } from './outage.ts'
import { factsOf, storeFile } from './store-file.ts'

/**
 * Imports a finalized upload: the first file of a media record, which becomes available with it, or the oldest replacement that waits. Idempotent; safe to run
 * concurrently and to crash: objects have fixed keys, and one conditional transaction makes the file the current one. A first file whose own content makes the
 * import fail to the last, or whose inspection crashed three times, is imported as generic, without inspection.
 * @param run.digestObject at once by default
 * @returns that another run must continue, if time ran out or other replacements wait; undefined when done
 * @throws errors of infrastructure; the job is then retried
 */
export async function importMedia(
  library: Importing,
  mediaId: MediaId,
  { lastTry = false, digestObject = digestAtOnce }: Partial<ImportRun> = {},
): Promise<Again | undefined> {
  const media = await getMedia(library, mediaId)
  if (!media) return removeOrphaned(library, mediaId)
  if (isAvailable(media)) {
    // Left by a run that died after it had made the file available.
    await library.uploads.delete([media.uploadKey])
    return importReplacement(library, media, { lastTry, digestObject })
  }
  try {
    return await attempt(library, media, { asGeneric: crashedAttempts(media) >= MOST_CRASHES, digestObject })
  } catch (error) {
    if (!lastTry || isOutage(error)) throw error
    const again = await attempt(library, media, { asGeneric: true, digestObject })
    await removeOrphanedRenditions(library, mediaId)
    return again
  }
}

/** How to import a file. `asGeneric`: without inspection. */
interface How {
  asGeneric: boolean
  digestObject: DigestObject
}

async function attempt(library: Importing, media: MediaRecord, how: How): Promise<Again | undefined> {
  await using workspace = await Workspace.open('import')
  try {
    const imported = await importFile(library, media, workspace, how)
    if (!imported) return {}
    await finish(library, media, imported)
  } catch (error) {
    if (!(error instanceof ObjectMissing && (await isDone(library, media.mediaId)))) throw error
  }
  // Versions that it had in another library may wait.
  return media.lastNumber === undefined ? undefined : {}
}

/** Removes the renditions that attempts before the generic import stored. */
async function removeOrphanedRenditions(library: Importing, mediaId: MediaId): Promise<void> {
  const media = await getMedia(library, mediaId)
  const isFirst = media && isAvailable(media) && media.stored === undefined
  if (isFirst && Object.keys(media.renditions).length === 0) await removeRenditions(library, media)
}

interface Imported {
  facts: FileFacts
  /** What the file says in fields that users edit. */
  said: Partial<EditableMetadata>
}

/** Removes what an import that crashed left of a file that was deleted meanwhile. */
async function removeOrphaned(library: Importing, mediaId: MediaId): Promise<undefined> {
  const removed = await getTombstone(library, mediaId)
  if (removed) await removeObjects(library, removed)
  await removeRemains(library, mediaId)
}

/** Whether another run has finished or the file was deleted; either removes the upload. */
async function isDone(library: Importing, mediaId: MediaId): Promise<boolean> {
  const media = await getMedia(library, mediaId)
  return !media || isAvailable(media)
}

/** @returns undefined if time ran out */
async function importFile(
  library: Importing,
  media: MediaRecord,
  workspace: Workspace,
  { asGeneric, digestObject }: How,
): Promise<Imported | undefined> {
  const { uploads } = library
  const report = (progress: number) => reportProgress(library, media.mediaId, progress)
  const local = workspace.path('original')
  const fetched = await fetchOriginal(uploads, media.uploadKey, local, digestObject)
  if (!fetched) return undefined
  const { digest, etag, isOutline } = fetched
  await report(25)
  const inspection = asGeneric
    ? uninspected
    : await countingAttempt(library, media.mediaId, () =>
        inspect(library, { path: local, isOutline, filename: media.filename, into: workspace.directory }),
      )
  await report(75)
  const extracted = extractMetadata(inspection.tags?.texts ?? {})
  // Items of the stock catalogue have no focal point.
  const { focalPoint = undefined } = media.companyId === CATALOGUE ? {} : inspection
  const said = { ...initialMetadata(extracted), ...(focalPoint && { focalPoint }) }
  const known = { ...media, ...missingMetadata(media, said), kind: inspection.sniffed.kind }
  const renditions = await storeFile(library, known, { etag, crc32: digest.crc32 }, inspection)
  await report(95)
  return { facts: factsOf(digest, inspection, extracted, renditions), said }
}

const uninspected: Inspection = { sniffed: OPAQUE, tags: undefined, width: null, height: null, renditions: [] }

/**
 * Makes the file available and counts it in one transaction. Does nothing in a second run. Removes the objects if the file was deleted
 * meanwhile.
 */
async function finish(library: Importing, started: MediaRecord, { facts, said }: Imported): Promise<void> {
  const { mediaId, companyId } = started
  const suggestionsWanted = await lacksSuggestions(library, companyId, facts)
  const isPreviewWanted = facts.kind === 'video' && library.settings.videoPreviews === 'always'
  const media = await retryOnConflict(async () => {
    const current = await getMedia(library, mediaId)
    if (!current || isAvailable(current)) return current
    // Who brought it with a focal point could not know yet that it is no picture.
    const own = { ...missingMetadata(current, said), ...(facts.kind !== 'image' && current.focalPoint && { focalPoint: null }) }
    await library.table.transact({
      ...importEnd(library, current, { ...facts, ...own }, suggestionsWanted),
      ...(isPreviewWanted && videoCreation(library, { mediaId, companyId, ...facts })),
      ...(asksForSnapshot(mediaId) && { snapshot: snapshotOf(library, companyId, { newerThan: library.clock.now() }) }),
    })
    return current
  })
  await library.uploads.delete([started.uploadKey])
  if (!media) await removeObjects(library, started)
}

function initialMetadata({ title, description, keywords, byline, copyright }: ExtractedMetadata): Partial<EditableMetadata> {
  return {
    title: title ? { en: title } : {},
    description: description ? { en: description } : {},
    keywords: keywords.length > 0 ? { en: keywords } : {},
    byline: byline || null,
    copyright: copyright || null,
  }
}
