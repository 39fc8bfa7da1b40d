import { held } from '../conditional.ts'
import type { Writing } from '../library.ts'
import { mediaKey } from './keys.ts'
import type { AvailableMedia } from './media.ts'

/** The object in the `media` bucket of which a file's ThumbHash is made: its smallest rendition. */
export function thumbHashSource({ renditions }: Pick<AvailableMedia, 'renditions'>): string | undefined {
  return (renditions['110px'] ?? renditions['200px'])?.key
}

/** Notes the ThumbHash of a file that has none. That is no change of the file: its revision stays. Does nothing where it has another picture now. */
export async function noteThumbHash({ table }: Pick<Writing, 'table'>, media: AvailableMedia, thumbhash: string): Promise<void> {
  const { mediaId, uploadKey } = media
  const isSame = { state: { equals: 'available' }, uploadKey: { equals: uploadKey }, thumbhash: { exists: false } }
  await held(table.update(mediaKey(mediaId), { set: { thumbhash } }, isSame))
}
