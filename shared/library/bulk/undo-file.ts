import type { AuthorizedWriting } from '../access/access.ts'
import { Conflict, NotFound } from '../errors.ts'
import { fileOperations } from '../media/edit.ts'
import { available } from '../media/find.ts'
import { type EditableMetadata, emptiedBefore, type MediaRecord } from '../media/media.ts'
import { withMove } from '../media/place.ts'
import { placementOf, withoutPointers } from '../media/placement.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import type { ChangedRecord, PlacedBefore } from './bulk.ts'
import { digestOf } from './edited.ts'
import { type Outcome, refusalOf } from './outcome.ts'
import type { Placed } from './placed.ts'

/** Plans the undo for one file with the requester's current rights, unless the same fields have changed since. */
export async function undoFile(
  library: AuthorizedWriting,
  media: MediaRecord | undefined,
  record: ChangedRecord | undefined,
): Promise<Outcome> {
  if (!record) return { kind: 'skipped' }
  if (!media) return { kind: 'refused', code: 'not_found' }
  try {
    await library.access.requireVisible(media)
    const { before, after = {}, placed } = record
    if (before) {
      await library.access.requireMedia('WRITE', media)
      for (const [name, digest] of Object.entries(after)) {
        if (digestOf(available(media)[name as keyof EditableMetadata]) !== digest) throw changedSince()
      }
    }
    const step = await fileOperations(library, media, {
      ...(before && { fields: before, emptied: emptiedBefore(media, { restored: before, emptied: record.emptied }) }),
      ...(placed && { placed: await placedBack(library, media, placed) }),
    })
    return step ? { kind: 'changed', operations: step.operations, ...(step.edit && { edit: step.edit }) } : { kind: 'unchanged' }
  } catch (error) {
    return refusalOf(error)
  }
}

const changedSince = () => new Conflict('Somebody changed this since.', 'changed_since')

/** @throws NotFound, Forbidden, Conflict `changed_since` */
async function placedBack(library: AuthorizedWriting, media: MediaRecord, placed: PlacedBefore): Promise<Pick<Placed, 'after' | 'moved'>> {
  const { access } = library
  const { contents, kind, was } = placed
  const [target, source] = await Promise.all([folderOf(library, placed.to), placed.from && folderOf(library, placed.from)])
  const placement = placementOf(media)
  if (contentsOf(target) !== contents || placement.get(contents) !== kind || (source && placement.has(contentsOf(source))))
    throw changedSince()
  if (source) {
    const moved = await withMove(access, media, placement, target, source)
    return { after: was ? new Map([...moved, [contents, was]]) : moved, moved: new Map([[contentsOf(source), target.folderId]]) }
  }
  const after = was ? new Map([...placement, [contents, was] as const]) : withoutPointers(placement, new Set([contents]))
  if (after.size === 0) throw changedSince()
  return { after, moved: new Map() }
}

/** A folder with WRITE. A missing or invisible folder counts as changed since. */
async function folderOf({ access }: AuthorizedWriting, folderId: PlacedBefore['to']): Promise<FolderRecord> {
  return access.folderWith('WRITE', folderId).catch((error: unknown) => {
    throw error instanceof NotFound ? changedSince() : error
  })
}
