import { centralHeaderBytes, endRecords, localHeaderBytes, writeCentralHeader } from './format.ts'
import type { ArchiveEntry } from './plan.ts'

const PIECE_BYTES = 2 ** 18

/**
 * The directory at the end of an archive and the records behind it, in pieces of some 256 KiB.
 * @param offset where it starts: behind the last entry
 */
export function* centralDirectory(entries: readonly ArchiveEntry[], offset: number): Generator<Buffer> {
  let piece = Buffer.allocUnsafe(PIECE_BYTES)
  let [end, centralBytes, entryOffset] = [0, 0, 0]
  for (const entry of entries) {
    if (end + centralHeaderBytes(entry, entryOffset) > piece.length) {
      yield piece.subarray(0, end)
      piece = Buffer.allocUnsafe(PIECE_BYTES)
      end = 0
    }
    const start = end
    end = writeCentralHeader(piece, start, entry, entryOffset)
    centralBytes += end - start
    entryOffset += localHeaderBytes(entry) + entry.bytes
  }
  yield piece.subarray(0, end)
  yield endRecords(entries.length, centralBytes, offset)
}
