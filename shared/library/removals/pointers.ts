import type { Clock } from '../../backends/clock/port.ts'
import { type Operations, type Table, TableUnavailable } from '../../backends/table/port.ts'
import { NotFound } from '../errors.ts'
import { isAvailable, type MediaRecord, mediaKey, pointerKey } from '../media/media.ts'
import { placementOf, withoutPointers } from '../media/placement.ts'
import { changePointers, place, removeFile } from '../media/pointers.ts'
import { usageChanges } from '../usage/usage.ts'

/** Pointers that one transaction takes away. Each is up to three operations, and up to one more that counts its file out. */
export const POINTERS_AT_ONCE = 25

interface Writing {
  table: Table
  clock: Clock
}

/**
 * Takes files out of a folder that is gone, many in one transaction; a file whose last pointer that was is deleted. What is out already is
 * no error: index reads lag, and jobs are repeated.
 * @param mediaIds at most `POINTERS_AT_ONCE`
 */
export async function removePointers({ table, clock }: Writing, mediaIds: readonly number[], contents: number): Promise<void> {
  const found = await table.getMany<MediaRecord>(mediaIds.map(mediaKey))
  const held = found.filter(({ folders }) => folders.includes(contents))
  if (held.length === 0) return
  try {
    await table.transact(together(held, contents, clock.now()))
  } catch (error) {
    if (error instanceof TableUnavailable) throw error
    // Somebody changed one of them, or together they are too large: one at a time they go, or tell why not.
    for (const { mediaId } of held) await removePointer({ table, clock }, mediaId, contents)
  }
}

function together(held: readonly MediaRecord[], contents: number, now: number): Operations {
  const isLast = ({ folders }: MediaRecord) => folders.length === 1
  const gone = new Set([contents])
  const operations = held.map((media): Operations => {
    const { mediaId } = media
    const left = withoutPointers(placementOf(media), gone)
    return {
      ...(isLast(media) ? removeFile(media, now) : { [`media ${mediaId}`]: place(media, left, now) }),
      [`pointer of ${mediaId}`]: { delete: pointerKey(mediaId, contents) },
    }
  })
  const usage = usageChanges(held.filter(isLast).filter(isAvailable), -1)
  return Object.fromEntries([...operations, usage].flatMap((each) => Object.entries(each)))
}

async function removePointer(writing: Writing, mediaId: number, contents: number): Promise<void> {
  try {
    await changePointers(writing, mediaId, (placement) => withoutPointers(placement, new Set([contents])))
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}
