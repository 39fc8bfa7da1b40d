import { crc32 } from 'node:zlib'
import { combineCrc32 } from '../../crc32.ts'
import { hasRoom, localHeaderBytes, newPage, writeLocalHeader } from './format.ts'
import { InlinePart } from './inline-part.ts'
import type { ArchiveEntry, ObjectPlan, ObjectRange, PlannedPart, Segment } from './plan.ts'
import type { Section } from './sections.ts'
import type { Sizes } from './sizes.ts'

/** The bytes between two large files, if they are too few for a part. */
interface ShortRun {
  segments: Segment[]
  bytes: number
  crc32: number
  /** Index of the next large file. The run includes its header. */
  next: number
}

/** Parts of a section, and of the tail after it. */
export function* partsOf(
  section: Section,
  entries: readonly ArchiveEntry[],
  sizes: Sizes,
  tail: Iterable<Uint8Array> = [],
): Generator<PlannedPart> {
  const inline = new InlinePart(sizes)
  let [page, pageEnd] = [newPage(), 0]
  let index = section.from
  while (index < section.to) {
    const entry = entries[index]!
    inline.add({ bytes: localHeader(entry) })
    if (entry.bytes < sizes.inlineBelow || index === section.inlined) {
      if (entry.bytes > 0) inline.add(rangeOf(entry, 0))
      if (inline.isFull) yield* inline.full()
      index += 1
    } else index = yield* largeFiles(index)
  }
  for (const bytes of tail) {
    inline.add({ bytes })
    yield* inline.full()
  }
  yield* inline.flush()

  /** Parts of a large file whose header is added already, and of those stitched to it. @returns index of the next entry */
  function* largeFiles(first: number): Generator<PlannedPart, number> {
    const lent = inline.bytes < sizes.minBytes ? sizes.minBytes - inline.bytes : 0
    if (lent > 0) inline.add({ ...rangeOf(entries[first]!, 0), end: lent - 1 })
    yield* inline.flush()
    let index = first
    if (section.stitches && lent === 0) {
      for (let run = shortRun(index); run; run = shortRun(index)) {
        yield* piecesOfObject(stitched(index, run), sizes)
        index = run.next
      }
    }
    yield* copies(rangeOf(entries[index]!, lent), sizes)
    return index + 1
  }

  function localHeader(entry: ArchiveEntry): Buffer {
    if (!hasRoom(page, pageEnd)) [page, pageEnd] = [newPage(), 0]
    const start = pageEnd
    pageEnd = writeLocalHeader(page, start, entry)
    return page.bytes.subarray(start, pageEnd)
  }

  function shortRun(large: number): ShortRun | undefined {
    const run: ShortRun = { segments: [], bytes: 0, crc32: 0, next: large + 1 }
    for (; run.next < section.to; run.next += 1) {
      const entry = entries[run.next]!
      const isLarge = entry.bytes >= sizes.inlineBelow
      run.bytes += localHeaderBytes(entry) + (isLarge ? 0 : entry.bytes)
      if (run.bytes >= sizes.minBytes) return undefined
      const header = localHeader(entry)
      run.segments.push({ bytes: header })
      run.crc32 = crc32(header, run.crc32)
      if (isLarge) return run
      if (entry.bytes > 0) run.segments.push(rangeOf(entry, 0))
      run.crc32 = combineCrc32(run.crc32, entry.crc32, entry.bytes)
    }
    return undefined
  }

  /** The intermediate object of a large file and the bytes after it. These are its last part, which may be small. */
  function stitched(index: number, run: ShortRun): ObjectPlan {
    const file = entries[index]!
    return {
      name: `file-${String(index).padStart(6, '0')}`,
      bytes: file.bytes + run.bytes,
      crc32: combineCrc32(file.crc32, run.crc32, run.bytes),
      *parts() {
        yield* copies(rangeOf(file, 0), sizes)
        yield { bytes: run.bytes, segments: run.segments }
      },
    }
  }
}

/** The parts of an object that an intermediate object becomes. */
export function* piecesOfObject(object: ObjectPlan, sizes: Sizes): Generator<PlannedPart> {
  for (const { start, end } of evenRanges(0, object.bytes, sizes)) yield { bytes: end - start + 1, object, start, end }
}

function* copies(range: ObjectRange, sizes: Sizes): Generator<PlannedPart> {
  for (const { start, end } of evenRanges(range.start, range.end + 1, sizes)) {
    yield { bytes: end - start + 1, copy: { ...range, start, end } }
  }
}

/** Number of parts for a copy of this many bytes. */
export function rangesOf(bytes: number, { maxBytes }: Sizes): number {
  return Math.max(1, Math.ceil(bytes / maxBytes))
}

/** Cuts into as few ranges as possible, all of the same size. If there are several, none is smaller than half of the maximum. */
function* evenRanges(from: number, to: number, sizes: Sizes): Generator<{ start: number; end: number }> {
  const ranges = rangesOf(to - from, sizes)
  const [bytes, larger] = [Math.floor((to - from) / ranges), (to - from) % ranges]
  for (let index = 0, start = from; index < ranges; index += 1) {
    const end = start + bytes + (index < larger ? 1 : 0)
    yield { start, end: end - 1 }
    start = end
  }
}

/** The range from a byte to the file's end. */
function rangeOf({ path, key, etag, bytes }: ArchiveEntry, start: number): ObjectRange {
  if (key === undefined) throw new TypeError(`${path} has bytes, but no object`)
  return { key, ...(etag !== undefined && { etag }), start, end: bytes - 1 }
}
