import type { Clock } from '../../backends/clock/port.ts'
import { type ConsumedObjects, ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { type Digest, saveWithDigest } from '../../tools/digest.ts'
import type { ExifTool } from '../../tools/metadata/exiftool.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import { Workspace } from '../../tools/workspace.ts'
import { NOT_DUE } from '../due.ts'
import { feedPlace, type Tombstone, tombstoneKey } from '../media/change-feed.ts'
import { type ExtractedMetadata, extractMetadata } from '../media/extraction.ts'
import {
  type AvailableMedia,
  type EditableMetadata,
  type FileFacts,
  isAvailable,
  type MediaRecord,
  mediaKey,
  objectKeys,
  type RenditionSize,
} from '../media/media.ts'
import { removeObjects, removeRenditions } from '../media/remove-objects.ts'
import { retryOnConflict } from '../retry.ts'
import { usageChange } from '../usage/usage.ts'
import { type Inspection, inspect, OPAQUE } from './inspect.ts'
import { isOutage } from './outage.ts'
import { countingLook, reportProgress } from './progress.ts'

/** A file that so many deliveries died of while they looked at it is taken as it is. */
const DEADLY_LOOKS = 3

/** Largest `tags.json`, in bytes: an answer of a function may hold 6 MB, in which it is escaped once more. */
const MAX_TAGS_BYTES = 2.5 * 1024 * 1024

/** What an import works with. */
export interface ImportResources {
  table: Table
  uploads: ConsumedObjects
  media: Objects
  clock: Clock
  exiftool: ExifTool
}

/**
 * Imports a finalized upload. Any number of deliveries, in any order, at the same time or after a crash end in exactly one import: objects
 * have fixed keys, and what makes the file available is one conditional transaction.
 * @param isLast no delivery comes after this one: a file that can't be imported otherwise is taken as it is
 * @throws whatever infrastructure fails: the delivery comes back
 */
export async function importMedia(tools: ImportResources, mediaId: number, isLast = false): Promise<void> {
  const { table, uploads } = tools
  const media = await table.get<MediaRecord>(mediaKey(mediaId))
  if (!media) return removeLeftOvers(tools, mediaId)
  if (isAvailable(media)) return uploads.delete([media.uploadKey])
  const isDeadly = (media.looks ?? 0) >= DEADLY_LOOKS
  try {
    await attempt(tools, media, { asItIs: isDeadly })
  } catch (error) {
    if (!isLast || isOutage(error)) throw error
    await attempt(tools, media, { asItIs: true })
    await removeStrayRenditions(tools, mediaId)
  }
}

async function attempt(tools: ImportResources, media: MediaRecord, how: { asItIs: boolean }): Promise<void> {
  await using workspace = await Workspace.open('import')
  try {
    await finish(tools, media, await importFile(tools, media, workspace, how))
  } catch (error) {
    if (!(error instanceof ObjectMissing && (await isDone(tools.table, media.mediaId)))) throw error
  }
}

/** Attempts before the one that took the file as it is may have stored some. */
async function removeStrayRenditions({ table, media: objects }: ImportResources, mediaId: number): Promise<void> {
  const media = await table.get<MediaRecord>(mediaKey(mediaId))
  if (media && isAvailable(media) && Object.keys(media.renditions).length === 0) await removeRenditions(objects, media)
}

interface Imported {
  facts: FileFacts
  extracted: ExtractedMetadata
}

/** The file was deleted while an earlier delivery, which died, was still storing what it had made. */
async function removeLeftOvers({ table, media: objects }: ImportResources, mediaId: number): Promise<void> {
  const gone = await table.get<Tombstone>(tombstoneKey(mediaId))
  if (gone) await removeObjects(objects, gone)
}

/** The upload is gone once another delivery has finished, or the file was deleted. */
async function isDone(table: Table, mediaId: number): Promise<boolean> {
  const media = await table.get<MediaRecord>(mediaKey(mediaId))
  return !media || isAvailable(media)
}

/** @param how asItIs: no tool looks at it, it becomes generic */
async function importFile(
  tools: ImportResources,
  media: MediaRecord,
  workspace: Workspace,
  { asItIs }: { asItIs: boolean },
): Promise<Imported> {
  const { table, uploads, exiftool } = tools
  const report = (progress: number) => reportProgress(table, media.mediaId, progress)
  const local = workspace.path('original')
  const { stream, etag } = await uploads.get(media.uploadKey)
  const digest = await saveWithDigest(stream, local)
  await report(25)
  const inspection = asItIs
    ? unseen
    : await countingLook(table, media.mediaId, () => inspect(local, media.filename, workspace.directory, exiftool))
  await report(75)
  const renditions = await store(tools, media, etag, inspection, workspace)
  await report(95)
  const extracted = extractMetadata(inspection.tags?.texts ?? {})
  return { facts: factsOf(digest, inspection, extracted, renditions), extracted }
}

const unseen: Inspection = { sniffed: OPAQUE, tags: undefined, width: null, height: null, renditions: [] }

async function store(
  { uploads, media: objects }: ImportResources,
  media: MediaRecord,
  etag: string,
  inspection: Inspection,
  workspace: Workspace,
): Promise<FileFacts['renditions']> {
  const { mime } = inspection.sniffed
  // The form may have been posted again meanwhile: what was inspected is what is stored, or this delivery comes back and inspects anew.
  await objects.copy({ from: uploads, key: media.uploadKey, etag }, objectKeys.original(media), { contentType: mime })
  await objects.put(objectKeys.tags(media), tagsJson(inspection.tags), { contentType: 'application/json' })
  const renditions: FileFacts['renditions'] = {}
  const stored = new Set<string>()
  for (const { size, path, mime: contentType, width, height, bytes } of inspection.renditions) {
    const key = objectKeys.rendition(media, { width, height })
    if (!stored.has(key)) await objects.put(key, workspace.read(path), { contentType })
    stored.add(key)
    renditions[size satisfies RenditionSize] = { key, mime: contentType, width, height, bytes }
  }
  return renditions
}

/** Where all tags together are too large the largest groups go; a file's ordinary tags are a few kilobytes. */
function tagsJson(tags: FileTags | undefined): Buffer {
  const groups = { ...tags?.printed }
  let json = Buffer.from(JSON.stringify(groups))
  while (json.length > MAX_TAGS_BYTES) {
    delete groups[largestGroup(groups)]
    json = Buffer.from(JSON.stringify(groups))
  }
  return json
}

function largestGroup(groups: FileTags['printed']): string {
  const sizes = Object.entries(groups).map(([name, group]) => ({ name, size: JSON.stringify(group).length }))
  return sizes.reduce((largest, each) => (each.size > largest.size ? each : largest)).name
}

function factsOf(digest: Digest, inspection: Inspection, extracted: ExtractedMetadata, renditions: FileFacts['renditions']): FileFacts {
  const { sniffed, width, height } = inspection
  const { iptc, geolocation, cameraCreated = null } = extracted
  return { ...sniffed, ...digest, width, height, iptc, geolocation, cameraCreated, suggestedKeywords: [], renditions }
}

/**
 * The one transaction that makes the file available and counts it. Whoever comes second finds it done; when the file was deleted
 * meanwhile its objects go.
 */
async function finish(
  { table, uploads, media: objects, clock }: ImportResources,
  started: MediaRecord,
  { facts, extracted }: Imported,
): Promise<void> {
  const media = await retryOnConflict(async () => {
    const current = await table.get<MediaRecord>(mediaKey(started.mediaId))
    if (!current || isAvailable(current)) return current
    const { delayed: _, looks: __, ...kept } = current
    const done: AvailableMedia = {
      ...kept,
      ...NOT_DUE,
      ...facts,
      ...initialMetadata(extracted),
      state: 'available',
      progress: 100,
      modified: clock.now(),
      revision: current.revision + 1,
      ...feedPlace(current, clock.now()),
    }
    const unchanged = { revision: { equals: current.revision }, state: { equals: 'importing' } }
    await table.transact({ media: { put: done, if: unchanged }, usage: usageChange(done, 1) })
    return done
  })
  await uploads.delete([started.uploadKey])
  if (!media) await removeObjects(objects, started)
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
