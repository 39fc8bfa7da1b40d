import { fieldValue } from '../../vocabulary/editable-fields.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { fileOperations } from '../media/edit.ts'
import { available } from '../media/find.ts'
import { requirePicture } from '../media/focal-point.ts'
import type { EditableMetadata, MediaRecord } from '../media/media.ts'
import { emptiedAfter } from '../media/media.ts'
import { placementOf } from '../media/placement.ts'
import { contentsOf } from '../tree/folder.ts'
import { type BulkChange, type BulkRecord, type ChangedRecord, changedKey } from './bulk.ts'
import { changedFields, digestOf } from './edited.ts'
import { type Outcome, refusalOf } from './outcome.ts'
import { type ChangedFolders, placedBy } from './placed.ts'

/**
 * Plans the change of one file with the requester's current rights, as the endpoints for single files make it.
 * @param folders those of the change, or the outcome where they can't be used
 */
export async function changeFile(
  library: AuthorizedWriting,
  bulk: BulkRecord,
  change: BulkChange,
  media: MediaRecord | undefined,
  folders: ChangedFolders | Outcome | undefined,
): Promise<Outcome> {
  if (!media) return { kind: 'refused', code: 'not_found' }
  try {
    return await changed(library, bulk, change, media, folders)
  } catch (error) {
    return refusalOf(error)
  }
}

async function changed(
  library: AuthorizedWriting,
  bulk: BulkRecord,
  change: BulkChange,
  media: MediaRecord,
  folders: ChangedFolders | Outcome | undefined,
): Promise<Outcome> {
  const { access } = library
  await access.requireVisible(media)
  await access.requireOwned(media)
  const { folders: _, ...metadata } = change
  const isEdited = Object.keys(metadata).length > 0
  if (isEdited) await access.requireMedia('WRITE', media)
  if (change.focalPoint !== undefined) requirePicture(available(media), 'change.focal_point')
  const fields = isEdited ? changedFields(available(media), metadata) : {}
  if (folders && 'kind' in folders) return folders
  if (folders?.source && !placementOf(media).has(contentsOf(folders.source))) return { kind: 'refused', code: 'not_in_folder' }
  const placed = folders && (await placedBy(library, media, folders))
  const step = await fileOperations(library, media, { fields, emptied: emptiedAfter(media, fields), ...(placed && { placed }) })
  if (!step) return { kind: 'unchanged' }
  const names = Object.keys(fields) as (keyof EditableMetadata)[]
  const record: ChangedRecord = {
    ...changedKey(bulk.bulkId, media.mediaId),
    ...(names.length > 0 && {
      before: Object.fromEntries(names.map((name) => [name, fieldValue(media, name)])),
      after: Object.fromEntries(names.map((name) => [name, digestOf(fields[name])])),
      ...(media.emptied && { emptied: media.emptied }),
    }),
    ...(placed && step.isPlaced && { placed: placed.before }),
    ttl: bulk.ttl,
  }
  const operations = { ...step.operations, [`changed ${media.mediaId}`]: { put: record } }
  return { kind: 'changed', operations, ...(step.edit && { edit: step.edit }) }
}
