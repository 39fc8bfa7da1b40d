import type { Item } from '../../backends/table/port.ts'
import { type AvailableMedia, isAvailable, type MediaRecord, mediaKey, objectKeys, type PointerRecord, pointer } from '../media/media.ts'
import { everyItem, everyObject } from '../pages.ts'
import type { CompanyFolders } from './company-folders.ts'
import { dueFault, isSwept } from './due.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** A file that lost all its folders is gone within minutes: after an hour something is stuck. */
const REMOVED_WITHIN_MS = 3_600_000
/** An import that waits for an operator says so; one that runs for a day does not run any more. */
const IMPORTED_WITHIN_MS = 86_400_000

/** The objects of one file: their sizes in bytes by key. */
export type StoredObjects = Map<string, number>

/** All that the table holds of one file. */
export interface FilePartition {
  media: MediaRecord | undefined
  pointers: PointerRecord[]
}

/** @param items a partition of a file */
export function toFilePartition(items: readonly Item[]): FilePartition {
  const records = items as readonly unknown[] as readonly (MediaRecord | PointerRecord)[]
  return {
    media: records.find((record): record is MediaRecord => record.sk === 'MEDIA'),
    pointers: records.filter((record): record is PointerRecord => record.sk.startsWith('FOLDER#')),
  }
}

export const companyOf = ({ media, pointers }: FilePartition): number | undefined => (media ?? pointers[0])?.companyId

/** What is wrong with a file and its pointers, as far as the table tells. @param folders undefined where there is no such company */
export function fileProblems({ media, pointers }: FilePartition, folders: CompanyFolders | undefined, now: number): Problem[] {
  if (!media) {
    return pointers.map(({ companyId, mediaId, contents }) =>
      problem('pointer_without_file', { company_id: companyId, media_id: mediaId, folder_id: contents }),
    )
  }
  const ids = { company_id: media.companyId, media_id: media.mediaId }
  const importing = !isAvailable(media)
  const stuck = importing && (media.delayed || media.created < now - IMPORTED_WITHIN_MS)
  return [
    ...(stuck ? [problem('import_stuck', ids)] : []),
    ...(isSwept(media, importing) ? [] : [problem('import_not_swept', ids)]),
    ...(importing || media.feedKey !== undefined ? [] : [problem('file_not_searchable', ids)]),
    ...pointerProblems(media, pointers),
    ...(folders
      ? [...placeProblems(media, folders, now), ...dueProblems(pointers, folders, now)]
      : [problem('file_of_unknown_company', ids)]),
  ]
}

function pointerProblems(
  { companyId: company_id, mediaId: media_id, folders, readOnlyIn }: MediaRecord,
  pointers: readonly PointerRecord[],
): Problem[] {
  const named = new Set(folders)
  const pointed = new Set(pointers.map(({ contents }) => contents))
  return [
    ...[...pointed.difference(named)].map((folder_id) => problem('pointer_not_in_file', { company_id, media_id, folder_id })),
    ...[...named.difference(pointed)].map((folder_id) => problem('pointer_missing', { company_id, media_id, folder_id })),
    ...[...new Set(readOnlyIn).difference(named)].map((folder_id) =>
      problem('read_only_without_pointer', { company_id, media_id, folder_id }),
    ),
    ...pointers
      .filter((each) => !isIndexed(each))
      .map(({ contents: folder_id }) => problem('pointer_not_indexed', { company_id, media_id, folder_id })),
  ]
}

function isIndexed(stored: PointerRecord): boolean {
  const { folderKey, mediaKey } = pointer(stored, { folderId: stored.contents }, 0)
  return stored.folderKey === folderKey && stored.mediaKey === mediaKey
}

function placeProblems(media: MediaRecord, folders: CompanyFolders, now: number): Problem[] {
  const ids = { company_id: media.companyId, media_id: media.mediaId }
  if (media.folders.length === 0) return [problem('file_without_folder', ids)]
  const places = media.folders.map((contents) => ({ contents, place: folders.place(contents) }))
  const lost = places.filter(({ place }) => place === 'nowhere')
  const left = places.every(({ place }) => typeof place === 'object' && place.deleted < now - REMOVED_WITHIN_MS)
  return [
    ...lost.map(({ contents: folder_id }) => problem('pointer_into_unknown_folder', { ...ids, folder_id })),
    ...(left ? [problem('file_not_removed', ids)] : []),
  ]
}

function dueProblems(pointers: readonly PointerRecord[], { tree }: CompanyFolders, now: number): Problem[] {
  return pointers.flatMap((entry) => {
    const holder = tree.holder(entry.contents)
    const fault = holder && dueFault(entry, holder, now)
    if (!fault) return []
    const ids = { company_id: entry.companyId, media_id: entry.mediaId, folder_id: entry.contents }
    return [problem(fault === 'wrong' ? 'pointer_due_wrong' : 'pointer_not_expired', ids)]
  })
}

/** What is wrong with a file, its pointers and its objects. */
export async function lookAtFile(library: Library, mediaId: number): Promise<Problem[]> {
  const { table, clock } = library
  const partition = toFilePartition(await Array.fromAsync(everyItem(table, { pk: mediaKey(mediaId).pk, consistent: true })))
  const companyId = companyOf(partition)
  if (companyId === undefined) return []
  // Folders are read after the file: one that was made in between is there.
  const problems = fileProblems(partition, await library.folders(companyId), clock.now())
  return [...problems, ...(await objectProblems(library, partition.media))]
}

async function objectProblems({ media: objects }: Library, media: MediaRecord | undefined): Promise<Problem[]> {
  if (!objects || !media || !isAvailable(media)) return []
  const stored: StoredObjects = new Map()
  for await (const { key, bytes } of everyObject(objects, objectKeys.prefix(media))) stored.set(key, bytes)
  const expected = expectedObjects(media)
  const keys = new Set(stored.keys())
  const ids = { company_id: media.companyId, media_id: media.mediaId }
  return [
    ...[...expected.difference(keys)].map((object) => problem('object_missing', { ...ids, object })),
    ...[...keys.difference(expected)].map((object) => problem('object_unexpected', { ...ids, object })),
    ...(hasOriginal(media, stored) ? [] : [problem('original_size_wrong', ids)]),
  ]
}

/** Whether the original, where there is one, has the size that the file has. */
export function hasOriginal(media: AvailableMedia, stored: StoredObjects): boolean {
  return (stored.get(objectKeys.original(media)) ?? media.bytes) === media.bytes
}

/** Keys of the objects that a file has once it is imported: these, and no others. */
export function expectedObjects(media: AvailableMedia): ReadonlySet<string> {
  const renditions = Object.values(media.renditions).map(({ key }) => key)
  return new Set([objectKeys.original(media), objectKeys.tags(media), ...renditions])
}
