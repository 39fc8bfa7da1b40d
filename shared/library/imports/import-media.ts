import { type ConsumedObjects, type CopiedObject, type ObjectLabels, ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import { readInOrder } from '../../backends/objects/ranged-reading.ts'
import type { Settings } from '../../settings.ts'
import { type Digest, digestOf, saveWithDigest } from '../../tools/digest.ts'
import { labelledFile } from '../../tools/imaging/label-picture.ts'
import { hasContentCredentials } from '../../tools/metadata/content-credentials.ts'
import { type ExtractedMetadata, extractMetadata } from '../../tools/metadata/extraction.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import { writeOutline } from '../../tools/outline.ts'
import { Workspace } from '../../tools/workspace.ts'
import { CATALOGUE, type MediaId } from '../../vocabulary/ids.ts'
import { wantsSuggestions } from '../accounts/companies.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { snapshotOf } from '../index-snapshots/job.ts'
import { asksForSnapshot } from '../index-snapshots/sample.ts'
import type { DigestObject } from '../jobs/digest-in-runs.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { labelsIn, type PictureLabels } from '../links/labels.ts'
import { getMedia, getTombstone } from '../media/find.ts'
import { countingAttempt, crashedAttempts, importEnd, reportProgress } from '../media/importing.ts'
import { type EditableMetadata, type FileFacts, isAvailable, type MediaRecord, missingMetadata } from '../media/media.ts'
import { objectKeys, removeObjects, removeRenditions } from '../media/objects.ts'
import { suggestionSource } from '../media/suggestions.ts'
import { videoCreation } from '../videos/video.ts'
import { type Inspecting, type Inspection, inspect, OPAQUE } from './inspect.ts'
import { isOutage } from './outage.ts'

/** A file whose import crashed this often is imported as generic, without inspection. */
const MOST_CRASHES = 3

/** Largest `tags.json`, in bytes. A Lambda response holds 6 MB, and the JSON is escaped once more in it. */
const MAX_TAGS_BYTES = 2.5 * 1024 * 1024

/** Larger files are never fetched whole, because a function has 10 GiB of disk. Rendered pictures are always smaller. */
export const WHOLE_BYTES = 2 * 1024 ** 3

/** Dependencies of an import. */
interface Importing extends Inspecting, Writing {
  uploads: ConsumedObjects
  media: Objects
  settings: Pick<Settings, 'videoPreviews' | 'storageClass'>
}

/**
 * Imports a finalized upload. Idempotent; safe to run concurrently and to crash: objects have fixed keys, and one conditional transaction
 * makes the file available.
 * @param run.lastTry import the file as generic if its own content makes the import fail
 * @param run.digestObject digests a file that isn't fetched whole; at once by default
 * @returns that another run must continue, if time ran out; undefined when done
 * @throws errors of infrastructure; the job is then retried
 */
export async function importMedia(
  library: Importing,
  mediaId: MediaId,
  { lastTry = false, digestObject = digestAtOnce }: { lastTry?: boolean; digestObject?: DigestObject } = {},
): Promise<Again | undefined> {
  const media = await getMedia(library, mediaId)
  if (!media) await removeOrphanedObjects(library, mediaId)
  else if (isAvailable(media)) await library.uploads.delete([media.uploadKey])
  if (!media || isAvailable(media)) return undefined
  try {
    return await attempt(library, media, { asGeneric: crashedAttempts(media) >= MOST_CRASHES, digestObject })
  } catch (error) {
    if (!lastTry || isOutage(error)) throw error
    const again = await attempt(library, media, { asGeneric: true, digestObject })
    await removeOrphanedRenditions(library, mediaId)
    return again
  }
}

const digestAtOnce: DigestObject = (objects, object) => digestOf(readInOrder(objects, object))

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
  return undefined
}

/** Removes the renditions that attempts before the generic import stored. */
async function removeOrphanedRenditions(library: Importing, mediaId: MediaId): Promise<void> {
  const media = await getMedia(library, mediaId)
  if (media && isAvailable(media) && Object.keys(media.renditions).length === 0) await removeRenditions(library, media)
}

interface Imported {
  facts: FileFacts
  /** What the file says in fields that users edit. */
  said: Partial<EditableMetadata>
}

/** Removes the objects of a file that was deleted during an import that crashed. */
async function removeOrphanedObjects(library: Importing, mediaId: MediaId): Promise<void> {
  const removed = await getTombstone(library, mediaId)
  if (removed) await removeObjects(library, removed)
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
  const renditions = await store(library, known, { etag, crc32: digest.crc32 }, inspection)
  await report(95)
  return { facts: factsOf(digest, inspection, extracted, renditions), said }
}

/** Fetches a file for inspection: whole, or only the outline of a large one. @returns undefined if time ran out */
async function fetchOriginal(
  uploads: ConsumedObjects,
  key: string,
  path: string,
  digestObject: DigestObject,
): Promise<{ digest: Digest; etag: string; isOutline: boolean } | undefined> {
  const { stream, etag, bytes } = await uploads.get(key)
  if (bytes <= WHOLE_BYTES) return { digest: await saveWithDigest(stream, path), etag, isOutline: false }
  stream.destroy()
  const object = { key, etag, bytes }
  const digest = await digestObject(uploads, object)
  if (!digest) return undefined
  await writeOutline(path, bytes, (start, end) => readInOrder(uploads, object, { start, end }))
  return { digest, etag, isOutline: true }
}

const uninspected: Inspection = { sniffed: OPAQUE, tags: undefined, width: null, height: null, renditions: [] }

/** @param media with the metadata that it has after the import */
async function store(
  { uploads, media: objects, settings: { storageClass } }: Importing,
  media: MediaRecord & Pick<FileFacts, 'kind'>,
  original: Required<Pick<CopiedObject, 'etag' | 'crc32'>>,
  inspection: Inspection,
): Promise<FileFacts['renditions']> {
  const { mime } = inspection.sniffed
  // Fails if the client posted the form again meanwhile; the next run then inspects the new file.
  const labels = { contentType: mime, ...(storageClass && { storageClass }) }
  await objects.copy({ from: uploads, key: media.uploadKey, ...original }, objectKeys.original(media), labels)
  const tags = storableTags(inspection.tags)
  await objects.put(objectKeys.tags(media), jsonOf(tags), { contentType: 'application/json' })
  const renditions: FileFacts['renditions'] = {}
  const stored = new Set<string>()
  for (const { size, path, mime: contentType, width, height } of inspection.renditions) {
    const key = objectKeys.rendition(media, { width, height })
    if (!stored.has(key)) await storePicture(objects, key, path, { contentType }, labelsIn(tags, media))
    stored.add(key)
    renditions[size] = { key, mime: contentType, width, height }
  }
  return renditions
}

/** Stores a rendered picture with what it says of itself. */
async function storePicture(
  objects: Pick<Objects, 'put' | 'putFile'>,
  key: string,
  path: string,
  labels: ObjectLabels,
  said: PictureLabels,
): Promise<void> {
  const labelled = await labelledFile(path, said)
  if (labelled) await objects.put(key, labelled, labels)
  else await objects.putFile(key, path, labels)
}

/** Tags without their largest groups, until the rest can be stored. Ordinary tags are a few kilobytes. */
function storableTags(tags: FileTags | undefined): FileTags['printed'] {
  const groups = { ...tags?.printed }
  while (jsonOf(groups).length > MAX_TAGS_BYTES) delete groups[largestGroup(groups)]
  return groups
}

const jsonOf = (tags: FileTags['printed']): Buffer => Buffer.from(JSON.stringify(tags))

function largestGroup(groups: FileTags['printed']): string {
  const sizes = Object.entries(groups).map(([name, group]) => ({ name, size: JSON.stringify(group).length }))
  return sizes.reduce((largest, each) => (each.size > largest.size ? each : largest)).name
}

function factsOf(digest: Digest, inspection: Inspection, extracted: ExtractedMetadata, renditions: FileFacts['renditions']): FileFacts {
  const { sniffed, width, height, video, thumbhash, tags } = inspection
  const { iptc, geolocation, cameraCreated = null } = extracted
  const known = { iptc, geolocation, cameraCreated, suggestedKeywords: [], renditions }
  return {
    ...sniffed,
    ...digest,
    width,
    height,
    ...(tags && hasContentCredentials(tags.texts) && { contentCredentials: true as const }),
    ...(thumbhash && { thumbhash }),
    ...(video && { video }),
    ...known,
  }
}

/**
 * Makes the file available and counts it in one transaction. Does nothing in a second run. Removes the objects if the file was deleted
 * meanwhile.
 */
async function finish(library: Importing, started: MediaRecord, { facts, said }: Imported): Promise<void> {
  const { mediaId, companyId } = started
  const suggestionsWanted = suggestionSource(facts) !== undefined && (await wantsSuggestions(library, companyId))
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
