import { type Key, type Operation, type Operations, TableUnavailable } from '../../backends/table/port.ts'
import type { CompanyId, ContentsId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { contentsOf, dueIn, type FolderRecord } from '../tree/folder.ts'
import { loadChains } from '../tree/tree-store.ts'
import { usageChanges } from '../usage/usage.ts'
import { type Changing, type MetadataEdit, mediaChange, mediaRemoval } from './changes.ts'
import { findMedia, getMany, getMedia } from './find.ts'
import { folderPartition, mediaIdOf, pointerIndexKey, pointerKey, type StoredPointer } from './keys.ts'
import { type LinksAfterPlacement, linksAfterPlacement } from './link.ts'
import { isAvailable, type MediaRecord, type PointerRecord } from './media.ts'
import { type Placement, placementOf, withoutPointers } from './placement.ts'
import { askForFileRemoval } from './remove-files.ts'

/** Most folders that may hold one file. */
export const MAX_FOLDERS = 1_000
/** Most pointers and links that one request may change. One transaction changes them with the file. */
export const MAX_CHANGED_POINTERS = 90
/** Most pointers per transaction of `removePointers`. Each takes up to seven operations: disk usage, a link, and the jobs of link and video among them. */
export const POINTERS_AT_ONCE = 14

/**
 * Changes a file's placement. `plan` maps the current placement to the new one, and runs again when another change was faster. Pointers and file
 * change in one transaction. A file without pointers is deleted, and a job removes its objects. The version stays. The caller checks rights.
 * @param plan also sees the file's current record
 * @param moved source folders by the contents ids of the target folders. An existing pointer in a target is rewritten
 * @returns the new placement
 * @throws NotFound also for a folder to be added that doesn't exist, Conflict, Invalid for too many
 */
export async function changePointers(
  library: Writing,
  mediaId: MediaId,
  plan: (placement: Placement, media: MediaRecord) => Placement | Promise<Placement>,
  moved: ReadonlyMap<ContentsId, FolderId> = new Map(),
): Promise<Placement> {
  return retryOnConflict(async () => {
    const media = await findMedia(library, mediaId)
    const before = placementOf(media)
    const after = await plan(before, media)
    const change = await placementChange(library, media, after, moved)
    if (change) await library.table.transact(placementChanges(library, [change]))
    return after
  })
}

/**
 * Plans another placement of a file. The caller checks rights.
 * @param moved as for `changePointers`
 * @returns undefined where nothing changes
 * @throws NotFound for a folder to be added that doesn't exist, Invalid for too many
 */
export async function placementChange(
  library: Writing,
  media: MediaRecord,
  after: Placement,
  moved: ReadonlyMap<ContentsId, FolderId> = new Map(),
): Promise<PlacementChange | undefined> {
  const before = placementOf(media)
  const changed = [...after.keys()].filter((contents) => before.get(contents) !== after.get(contents) || moved.has(contents))
  if (changed.length === 0 && before.size === after.size) return undefined
  const into = await foldersOf(library, media.companyId, changed)
  const added = into.filter((folder) => !before.has(contentsOf(folder)) || moved.has(contentsOf(folder)))
  const change = { media, after, added, moved, linked: linksAfterPlacement(library, media, after, into) }
  checkLimits(change)
  return change
}

/**
 * Removes files from a deleted folder, many in one transaction. Files without another pointer are deleted. Files that left the folder are skipped:
 * index reads lag, and jobs are repeated.
 * @param mediaIds at most `POINTERS_AT_ONCE`
 */
export async function removePointers(library: Writing, mediaIds: readonly MediaId[], contents: ContentsId): Promise<void> {
  const gone = new Set([contents])
  const held = (await getMany(library, mediaIds)).filter(({ folders }) => folders.includes(contents))
  if (held.length === 0) return
  try {
    const changes = held.map((media) => {
      const after = withoutPointers(placementOf(media), gone)
      return { media, after, added: [], linked: linksAfterPlacement(library, media, after, []) }
    })
    await library.table.transact(placementChanges(library, changes))
  } catch (error) {
    if (error instanceof TableUnavailable) throw error
    // Another change was faster, or together they are too large. One at a time succeeds, or throws the reason.
    for (const { mediaId } of held) {
      await changePointers(library, mediaId, (placement) => withoutPointers(placement, gone)).catch(unlessGone)
    }
  }
}

/** Ignores NotFound: a missing file has no pointers. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof NotFound)) throw error
}

/** The pointer to a file in a folder. Pointers change with their file, so a pointer read after the file is at least as new. */
export async function findPointer({ table }: Reading, mediaId: MediaId, contents: ContentsId): Promise<PointerRecord | undefined> {
  return table.get<StoredPointer>(pointerKey(mediaId, contents))
}

/** The pointers of files, each in one folder, in this order. Missing ones are left out. */
export async function getPointers(
  { table }: Reading,
  wanted: readonly { mediaId: MediaId; contents: ContentsId }[],
): Promise<PointerRecord[]> {
  return table.getMany<StoredPointer>(wanted.map(({ mediaId, contents }) => pointerKey(mediaId, contents)))
}

/** Ids of the files in a folder. The index lags. */
export async function* mediaIn({ table }: Reading, contents: ContentsId): AsyncGenerator<MediaId> {
  for await (const entry of everyItem<Key>(table, { index: 'pointersByFolder', pk: folderPartition(contents) })) yield mediaIdOf(entry)
}

/** The operation that puts a file into a folder. @param from the folder that it moves from */
export function pointerCreation(
  { clock, by }: Changing,
  { mediaId, companyId }: Pick<MediaRecord, 'mediaId' | 'companyId'>,
  folder: FolderRecord,
  from?: FolderId,
): Operation {
  const contents = contentsOf(folder)
  const pointer: StoredPointer = {
    ...{ ...pointerKey(mediaId, contents), ...pointerIndexKey(mediaId, contents), mediaId, contents, companyId, by },
    ...dueIn(folder, clock.now()),
    ...(folder.system === 'trash' && from !== undefined && { trashedFrom: from }),
  }
  return { put: pointer }
}

/** A change of one file's placement. */
export interface PlacementChange {
  media: MediaRecord
  after: Placement
  /** Folders whose pointers are written, existing pointers too. */
  added: readonly FolderRecord[]
  /** Source folders of moves, by the contents ids of their targets. */
  moved?: ReadonlyMap<ContentsId, FolderId>
  linked: LinksAfterPlacement
  /** Metadata edited in the same step. */
  edit?: MetadataEdit
}

const removedBy = ({ media, after }: Pick<PlacementChange, 'media' | 'after'>): ContentsId[] =>
  media.folders.filter((contents) => !after.has(contents))

/** The operations that change placements: of files with their pointers and links. Files without pointers are deleted and uncounted. */
export function placementChanges(library: Changing, changes: readonly PlacementChange[]): Operations {
  const deleted = changes.filter(({ after }) => after.size === 0).map(({ media }) => media)
  const operations = changes.map((change): Operations => {
    const { media, after, added, moved, linked, edit } = change
    const { mediaId } = media
    return {
      ...(after.size > 0
        ? { [`media ${mediaId}`]: mediaChange(library, media, { placed: after, links: linked.links, ...edit }).operation }
        : mediaRemoval(library, media)),
      ...named(`pointer ${mediaId} in`, added, (folder) => [
        contentsOf(folder),
        pointerCreation(library, media, folder, moved?.get(contentsOf(folder))),
      ]),
      ...named(`pointer ${mediaId} in`, removedBy(change), (contents) => [contents, { delete: pointerKey(mediaId, contents) }]),
      ...linked.operations,
      ...linked.publication,
    }
  })
  return Object.assign({}, ...operations, askForFileRemoval(library, deleted), usageChanges(deleted.filter(isAvailable), -1))
}

function named<Each>(prefix: string, list: readonly Each[], operation: (each: Each) => [contents: ContentsId, Operation]): Operations {
  return Object.fromEntries(list.map(operation).map(([contents, step]) => [`${prefix} ${contents}`, step]))
}

/** @throws NotFound */
async function foldersOf(library: Reading, companyId: CompanyId, added: readonly ContentsId[]): Promise<FolderRecord[]> {
  if (added.length === 0) return []
  const chains = await loadChains(library, companyId, { contents: added })
  return added.map((contents) => {
    const folder = chains.folderOfContents(contents)
    if (!folder) throw new NotFound('folder')
    return folder
  })
}

/** @throws Invalid for a change that makes a file's record too large, or takes more than a transaction */
export function checkLimits(change: PlacementChange): void {
  const changes = change.added.length + removedBy(change).length + Object.keys(change.linked.operations).length
  if (change.after.size > MAX_FOLDERS) throw new Invalid({ path: '', message: `A file can be in at most ${MAX_FOLDERS} folders.` })
  if (changes > MAX_CHANGED_POINTERS) {
    throw new Invalid({ path: '', message: `At most ${MAX_CHANGED_POINTERS} folders and links of a file can change at once.` })
  }
}

/**
 * Reconciles a file's links in a folder after its alias was set, removed or changed. In a CDN folder a full pointer gets its link. Links under a
 * former alias, in ordinary folders and in deleted ones end. Idempotent; ignores missing files.
 */
export async function relinkMedia(library: Writing, mediaId: MediaId, contents: ContentsId): Promise<void> {
  await retryOnConflict(async () => {
    const media = await getMedia(library, mediaId)
    if (!media?.folders.includes(contents)) return
    const placement = placementOf(media)
    const folder = (await loadChains(library, media.companyId, { contents: [contents] })).folderOfContents(contents)
    const linked = folder ? placement : withoutPointers(placement, new Set([contents]))
    const { links, operations, publication } = linksAfterPlacement(library, media, linked, folder ? [folder] : [])
    if (links === undefined) return
    const { operation } = mediaChange(library, media, { placed: placement, links })
    await library.table.transact({ media: operation, ...operations, ...publication })
  })
}
