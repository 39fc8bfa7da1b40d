import { held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { mediaKey } from './keys.ts'
import type { AvailableMedia, FileFacts } from './media.ts'

/** Facts that may be stored after the import. The search index holds none of them. */
export type LaterFacts = Partial<Pick<FileFacts, 'mime' | 'video' | 'thumbhash'>>

/** Stores facts of an imported file. Its revision stays. Does nothing where the file has other bytes now, or is gone. */
export async function noteFacts(
  { table }: Pick<Writing, 'table'>,
  { mediaId, uploadKey }: Pick<AvailableMedia, 'mediaId' | 'uploadKey'>,
  facts: LaterFacts,
): Promise<void> {
  await held(table.update(mediaKey(mediaId), { set: facts }, { state: { equals: 'available' }, uploadKey: { equals: uploadKey } }))
}
