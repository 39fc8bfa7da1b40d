import { endRecords, hasRoom, localHeaderBytes, newPage, writeCentralHeader } from './format.ts'
import type { ArchiveEntry } from './plan.ts'

/**
 * The central directory of an archive and the end records, in pieces of about 200 KiB.
 * @param offset where it starts: after the last entry
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
