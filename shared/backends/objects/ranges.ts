import { type ByteRange, RangeOutside } from './port.ts'

/** A range within an object. Both ends are included. */
export interface ResolvedRange {
  start: number
  end: number
}

/**
 * Fits a range to an object of `bytes` bytes.
 * @throws RangeOutside if it starts after the last byte
 * @throws RangeError for invalid or swapped ends: a bug of the caller
 */
export function resolveRange(range: ByteRange, bytes: number): ResolvedRange {
  checkRange(range)
  if (range.start >= bytes) throw new RangeOutside(`the range starts at ${range.start}, the object ends at ${bytes}`)
  return { start: range.start, end: Math.min(range.end ?? bytes - 1, bytes - 1) }
}

/** @throws RangeError for invalid or swapped ends */
export function checkRange({ start, end }: ByteRange): void {
  const positions = end === undefined ? [start] : [start, end]
  const valid = positions.every((position) => Number.isSafeInteger(position) && position >= 0) && (end === undefined || end >= start)
  if (!valid) throw new RangeError(`no byte range: ${start} to ${end}`)
}
