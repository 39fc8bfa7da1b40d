import { ObjectMissing, type ObjectReader, ObjectsUnavailable } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import { md5Of } from '../../tools/digest.ts'
import { getMedia } from '../media/find.ts'
import { importJob } from '../media/importing.ts'
import { isMedia, isPointer, isTombstone, pointerIndexKey, type StoredMedia } from '../media/keys.ts'
import { type AvailableMedia, hasFile, isAvailable, type MediaRecord, type PointerRecord, type Tombstone } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'
import { placementOf } from '../media/placement.ts'
import { isWaiting, suggestionJob } from '../media/suggestions.ts'
import { everyItem, everyObject } from '../pages.ts'
import { contentsOf } from '../tree/folder.ts'
import { type CdnFolder, isCdnFolder } from '../tree/system-folders.ts'
import { isDownloadObject } from './downloads.ts'
import { dueFault } from './due.ts'
import { isSnapshotObject } from './index-snapshots.ts'
import { addressOf, idIn } from './keys.ts'
import type { Library } from './library.ts'
import { checkLinksOfFile } from './links.ts'
import { checkNumbers, isBeingStored, isOfNumber, type Numbers, numbersIn, numbersOf, type StoredBytes, storedBytes } from './numbers.ts'
import { type Problem, problem } from './problem.ts'
import { checkItemOfFile } from './stock.ts'
import type { StoredFolders } from './stored-folders.ts'
import { isVideoObject } from './videos.ts'
import { isZipObject } from './zips.ts'

/** A file that lost all its folders is removed within minutes: after an hour something is stuck. */
const REMOVED_WITHIN_MS = 3_600_000
/** An import that waits for an operator is marked; one that began a day ago has stopped. */
const IMPORTED_WITHIN_MS = 86_400_000

/** Keys of exactly the objects that an imported file and its former numbers have. */
function expectedObjects(media: AvailableMedia, stored: readonly StoredBytes[]): ReadonlySet<string> {
  return new Set(
    stored.flatMap(({ stored, renditions }) => {
      const file = { ...media, stored }
      return [objectKeys.original(file), objectKeys.tags(file), ...Object.values(renditions).map(({ key }) => key)]
    }),
  )
}

/** Whether an object belongs to a record of its own instead of the file's. */
export const isByItself = (key: string): boolean => isDownloadObject(key) || isVideoObject(key) || isZipObject(key) || isSnapshotObject(key)

/** A file in the table. */
interface FilePartition {
  media: StoredMedia | undefined
  pointers: readonly PointerRecord[]
  /** Items that are there only as long as the file. */
  parts: readonly (Key & Pick<MediaRecord, 'companyId' | 'mediaId'>)[]
  /** When it was removed, in UNIX milliseconds. Absent: it was not, or longer ago than is known. */
  removed: number | undefined
  /** undefined where none of them is stored */
  companyId: MediaRecord['companyId'] | undefined
}

function toFilePartition(items: readonly Key[]): FilePartition {
  const media = items.find(isMedia)
  const pointers = items.filter(isPointer)
  const parts = items.filter(isOfNumber)
  const tombstone = items.find(isTombstone)
  const removed = tombstone && deletedAt(tombstone)
  return { media, pointers, parts, removed, companyId: (media ?? pointers[0] ?? parts[0])?.companyId }
}

/** Yields the problems of a file and its pointers, and those of its objects if the original is missing. @param pk of its items */
export async function* checkFile(library: Library, pk: string): AsyncGenerator<Problem> {
  const { table, media: objects, clock } = library
  const items = await Array.fromAsync(everyItem(table, { pk, consistent: true }))
  const [file, numbers] = [toFilePartition(items), numbersIn(items)]
  if (file.companyId === undefined) return
  const { media } = file
  yield* fileProblems(file, await library.foldersOf(file.companyId), clock.now())
  if (media && isWaiting(media) && !(await suggestionJob.find(library, String(media.mediaId))))
    yield problem('suggestions_not_swept', idsOf(media))
  if (media && !isAvailable(media) && !(await importJob.find(library, String(media.mediaId))))
    yield problem('import_not_swept', idsOf(media))
  if (media) yield* checkLinksOfFile(library, media)
  if (media) yield* checkItemOfFile(library, media)
  if (media && isAvailable(media)) yield* checkNumbers(library, media, numbers)
  if (!objects || !media || !isAvailable(media) || !hasFile(media)) return
  if (await objects.head(objectKeys.original(media))) return
  yield* objectProblems(media, numbers, await sizesBelow(objects, objectKeys.prefix(media)))
}

/** The sizes in bytes of a file's objects, by key, without those of other records. */
export async function sizesBelow(objects: Pick<ObjectReader, 'list'>, prefix: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, bytes } of everyObject(objects, prefix)) if (!isByItself(key)) sizes.set(key, bytes)
  return sizes
}

/** Yields the problems of a file and its pointers, as far as the table tells. @param folders undefined where there is no such company */
function* fileProblems(file: FilePartition, folders: StoredFolders | undefined, now: number): Generator<Problem> {
  const { media, pointers } = file
  if (!media) {
    for (const each of pointers) yield problem('pointer_without_file', idsOf(each, each.contents))
    yield* partsLeft(file, now)
    return
  }
  const ids = idsOf(media)
  const importing = !isAvailable(media)
  if (importing && (media.delayed || media.modified < now - IMPORTED_WITHIN_MS)) yield problem('import_stuck', ids)
  if (!importing && media.feedKey === undefined) yield problem('file_not_searchable', ids)
  const named = new Set(media.folders)
  const pointed = new Set(pointers.map(({ contents }) => contents))
  for (const contents of pointed.difference(named)) yield problem('pointer_not_in_file', idsOf(media, contents))
  for (const contents of named.difference(pointed)) yield problem('pointer_missing', idsOf(media, contents))
  for (const contents of new Set(media.readOnlyIn).difference(named)) yield problem('read_only_without_pointer', idsOf(media, contents))
  for (const each of pointers) if (!isIndexed(each)) yield problem('pointer_not_indexed', idsOf(media, each.contents))
  if (media.folders.length === 0) yield problem('file_without_folder', ids)
  if (folders) yield* folderProblems(media, pointers, folders, now)
  else yield problem('file_of_unknown_company', ids)
}

/** A job removes them after the file. */
function* partsLeft({ parts, removed }: FilePartition, now: number): Generator<Problem> {
  if (removed !== undefined && removed > now - REMOVED_WITHIN_MS) return
  for (const each of parts) yield problem('number_without_file', { ...idsOf(each), object: addressOf(each) })
}

function* folderProblems(media: MediaRecord, pointers: readonly PointerRecord[], folders: StoredFolders, now: number): Generator<Problem> {
  let removed = media.folders.length > 0
  for (const contents of media.folders) {
    const folder = folders.withContents(contents)
    if (!folder) yield problem('pointer_into_unknown_folder', idsOf(media, contents))
    const deleted = folder && folders.deletionOf(folder)
    removed &&= deleted !== undefined && deleted < now - REMOVED_WITHIN_MS
  }
  if (removed) yield problem('file_not_removed', idsOf(media))
  for (const each of pointers) {
    const folder = folders.tree.folderOfContents(each.contents)
    const fault = folder && dueFault(each, folder, now)
    if (fault) yield problem(fault === 'wrong' ? 'pointer_due_wrong' : 'pointer_not_expired', idsOf(media, each.contents))
    if (folder && isCdnFolder(folder) && isUnlinked(media, folder)) {
      yield problem('file_not_linked', { ...idsOf(media, each.contents), alias: folder.alias })
    }
  }
}

/** Whether a full pointer in a CDN folder made no link: the file was put there at the same time as the folder got its alias. */
function isUnlinked(media: MediaRecord, folder: CdnFolder): boolean {
  const contents = contentsOf(folder)
  const isLinked = media.links?.some((link) => link.contents === contents && link.alias === folder.alias) ?? false
  return placementOf(media).get(contents) === 'full' && !isLinked
}

function idsOf({ companyId: company_id, mediaId: media_id }: Pick<PointerRecord, 'companyId' | 'mediaId'>, folder_id?: number) {
  return folder_id === undefined ? { company_id, media_id } : { company_id, media_id, folder_id }
}

function isIndexed(stored: PointerRecord): boolean {
  const { folderKey, mediaKey } = pointerIndexKey(stored.mediaId, stored.contents)
  return stored.folderKey === folderKey && stored.mediaKey === mediaKey
}

/** Yields the problems of the objects of a file. @param sizes those that are stored, in bytes, by key */
export function* objectProblems(media: AvailableMedia, numbers: Numbers, sizes: ReadonlyMap<string, number>): Generator<Problem> {
  const bytes = storedBytes(media, numbers)
  const [ids, stored, expected] = [idsOf(media), new Set(sizes.keys()), expectedObjects(media, bytes)]
  for (const object of expected.difference(stored)) yield problem('object_missing', { ...ids, object })
  for (const object of stored.difference(expected)) {
    if (!isBeingStored(media, numbers, object)) yield problem('object_unexpected', { ...ids, object })
  }
  for (const each of bytes) {
    const { key, about } = originalOf(media, each)
    const size = sizes.get(key)
    if (size !== undefined && size !== each.bytes) yield problem('original_size_wrong', about)
  }
}

/** The original of bytes of a file, and what problems of it name: for a former one the object, too. */
function originalOf(media: AvailableMedia, { stored }: StoredBytes) {
  const key = objectKeys.original({ ...media, stored })
  return { key, about: stored === media.stored ? idsOf(media) : { ...idsOf(media), object: key } }
}

/**
 * Reads the originals of a file and its former numbers, and compares their MD5. An original that isn't stored at all is found without reading.
 * @param pk of the file's items @throws ObjectsUnavailable
 */
export async function* checkOriginal(library: Library, pk: string): AsyncGenerator<Problem> {
  const { table, media: objects } = library
  const media = await getMedia({ table }, idIn(pk))
  if (!objects || !media || !isAvailable(media) || !hasFile(media)) return
  for (const each of storedBytes(media, await numbersOf(library, media, []))) yield* checkBytes(objects, media, each)
}

async function* checkBytes(objects: Pick<ObjectReader, 'get'>, media: AvailableMedia, bytes: StoredBytes): AsyncGenerator<Problem> {
  const { key, about } = originalOf(media, bytes)
  try {
    const { stream } = await objects.get(key)
    if ((await md5Of(stream)) !== bytes.md5) yield problem('original_md5_wrong', about)
  } catch (error) {
    if (error instanceof ObjectsUnavailable) throw error
    // A broken connection doesn't repeat in the next check; an unreadable disk does.
    if (!(error instanceof ObjectMissing)) yield problem('original_unreadable', about, `: ${(error as Error).message}.`)
  }
}

/** When a file was deleted, in UNIX milliseconds; a position in the change feed begins with the time. */
export function deletedAt({ changedAt }: Pick<Tombstone, 'changedAt'>): number {
  return Date.parse(changedAt.slice(0, changedAt.indexOf('#')))
}
