import { ObjectChanged, type ObjectReader } from '../../backends/objects/port.ts'
import type { Segment } from '../../tools/archive/plan.ts'

/** Objects that are read at the same time for one part. */
const READS_AT_ONCE = 8

type Reader = Pick<ObjectReader, 'get'>

/** The bytes of a part that is put together of segments. @throws ObjectMissing, ObjectChanged */
export async function partBytes(media: Reader, segments: readonly Segment[], bytes: number): Promise<Uint8Array> {
  const part = Buffer.allocUnsafe(bytes)
  const placed: { segment: Segment; at: number }[] = []
  let end = 0
  for (const segment of segments) {
    placed.push({ segment, at: end })
    end += 'bytes' in segment ? segment.bytes.length : segment.end - segment.start + 1
  }
  if (end !== bytes) throw new Error(`segments of ${end} bytes make no part of ${bytes}`)
  const next = placed.values()
  const fill = async () => {
    for (const { segment, at } of next) {
      if ('bytes' in segment) part.set(segment.bytes, at)
      else await read(media, segment, part, at)
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, fill))
  return part
}

/** Reads a range of an object into a part. */
async function read(media: Reader, segment: Exclude<Segment, { bytes: Uint8Array }>, part: Buffer, at: number): Promise<void> {
  const { key, etag, start, end } = segment
  const body = await media.get(key, { start, end })
  let filled = at
  // One that another one took the place of is left unread.
  for await (const piece of body.stream) {
    if (etag !== undefined && body.etag !== etag) break
    filled += (piece as Buffer).copy(part, filled, 0, Math.max(0, at + (end - start + 1) - filled))
  }
  if (filled !== at + (end - start + 1)) throw new ObjectChanged(key)
}
