import type { Operations } from '../../backends/table/port.ts'
import type { ContentsId, FolderId } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'
import { mediaChange } from './changes.ts'
import { copiesOfEdited } from './copy-job.ts'
import { checked, editable } from './edit.ts'
import { linksOfEdited } from './links-of-edited.ts'
import type { AvailableMedia, EditableMetadata, MediaRecord } from './media.ts'
import type { Placement } from './placement.ts'
import { placementChange, placementChanges } from './pointers.ts'

/** The wanted state of a file. */
export interface WantedFile {
  /** Changed fields, and the emptied ones. */
  fields?: Partial<EditableMetadata>
  emptied?: MediaRecord['emptied']
  /** Another placement. `moved` as for `placementChange`. */
  placed?: { after: Placement; moved: ReadonlyMap<ContentsId, FolderId> }
}

/** The operations that change a file in one step. @returns undefined where nothing changes. @throws NotFound, Invalid */
export async function operationsOf(
  library: Writing,
  media: MediaRecord,
  { fields = {}, emptied, placed }: WantedFile,
): Promise<{ operations: Operations; isPlaced: boolean } | undefined> {
  const edit = Object.keys(fields).length > 0 && { edited: checked({ ...editable(media), ...fields }), emptied }
  const placement = placed && (await placementChange(library, media, placed.after, placed.moved))
  const jobs = edit ? { ...copiesOfEdited(library, [media]), ...linksOfEdited(library, media, edit) } : {}
  if (placement) {
    return { operations: { ...placementChanges(library, [{ ...placement, ...(edit && { edit }) }]), ...jobs }, isPlaced: true }
  }
  if (!edit) return undefined
  const { operation } = mediaChange(library, media as AvailableMedia, edit)
  return { operations: { [`media ${media.mediaId}`]: operation, ...jobs }, isPlaced: false }
}
