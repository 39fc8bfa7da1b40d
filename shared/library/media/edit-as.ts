import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { type Edit, editMetadata } from './edit.ts'
import { availableMediaWith } from './find.ts'
import type { AvailableMedia } from './media.ts'

/**
 * Edits files for a caller who needs WRITE on each; without it on one of them nothing changes (decision 25).
 * @throws NotFound, Forbidden, Conflict, Invalid
 */
export async function editMediaAs(
  { caller, table, clock }: { caller: Caller; table: Table; clock: Clock },
  mediaIds: readonly number[],
  edit: Edit,
): Promise<AvailableMedia[]> {
  const access = new Access(table, caller)
  for (const mediaId of mediaIds) await availableMediaWith('WRITE', table, access, mediaId)
  return editMetadata({ table, clock }, mediaIds, edit)
}

/** Edits one file for a caller who needs WRITE on it. @throws NotFound, Forbidden, Conflict, Invalid */
export async function editOneAs(by: { caller: Caller; table: Table; clock: Clock }, mediaId: number, edit: Edit): Promise<AvailableMedia> {
  const [edited] = await editMediaAs(by, [mediaId], edit)
  return edited!
}
