import { held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { mediaKey } from './keys.ts'
import type { AvailableMedia, FileFacts } from './media.ts'

/** Facts that may be noted after the import. The search index holds none of them. */
export type LaterFacts = Partial<Pick<FileFacts, 'mime' | 'video' | 'thumbhash'>>

/** Notes facts of an imported file. That is no change of the file: its revision stays. Does nothing where it has other bytes now, or is gone. */
export async function noteFacts(
  { table }: Pick<Writing, 'table'>,
  { mediaId, uploadKey }: Pick<AvailableMedia, 'mediaId' | 'uploadKey'>,
  facts: LaterFacts,
): Promise<void> {
  await held(table.update(mediaKey(mediaId), { set: facts }, { state: { equals: 'available' }, uploadKey: { equals: uploadKey } }))
}
