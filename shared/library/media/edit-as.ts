import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { type Edit, editMetadata } from './edit.ts'
import { availableMediaWith } from './find.ts'
import type { AvailableMedia } from './media.ts'

/** A file as an edit left it. Without READ on it the caller is told nothing of it but what they sent. */
export interface Edited {
  media: AvailableMedia
  /** Whether the caller has READ on it. */
  readable: boolean
}

/**
 * Edits files for a caller who needs WRITE on each; without it on one of them nothing changes. @throws NotFound, Forbidden, Conflict, Invalid
 */
export async function editMediaAs(
  { caller, table, clock }: { caller: Caller; table: Table; clock: Clock },
  mediaIds: readonly number[],
  edit: Edit,
): Promise<Edited[]> {
  const access = new Access(table, caller)
  for (const mediaId of mediaIds) await availableMediaWith('WRITE', table, access, mediaId)
  const edited = await editMetadata({ table, clock }, mediaIds, edit)
  return Promise.all(edited.map(async (media) => ({ media, readable: await access.hasOnMedia('READ', media) })))
}

/** Edits one file for a caller who needs WRITE on it. @throws NotFound, Forbidden, Conflict, Invalid */
export async function editOneAs(by: { caller: Caller; table: Table; clock: Clock }, mediaId: number, edit: Edit): Promise<Edited> {
  const [edited] = await editMediaAs(by, [mediaId], edit)
  return edited!
}
