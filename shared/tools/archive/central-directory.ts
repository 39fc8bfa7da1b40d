import { endRecords, hasRoom, localHeaderBytes, newPage, writeCentralHeader } from './format.ts'
import type { ArchiveEntry } from './plan.ts'

/**
 * The directory at the end of an archive and the records behind it, in pieces of some 200 KiB.
 * @param offset where it starts: behind the last entry
 */
export function* centralDirectory(entries: readonly ArchiveEntry[], offset: number): Generator<Buffer> {
  let [page, end, centralBytes, entryOffset] = [newPage(), 0, 0, 0]
  for (const entry of entries) {
    if (!hasRoom(page, end)) {
      yield page.bytes.subarray(0, end)
      page = newPage()
      end = 0
    }
    const start = end
    end = writeCentralHeader(page, start, entry, entryOffset)
    centralBytes += end - start
    entryOffset += localHeaderBytes(entry) + entry.bytes
  }
  yield page.bytes.subarray(0, end)
  yield endRecords(entries.length, centralBytes, offset)
}
