import { crc32 } from 'node:zlib'
import { combineCrc32 } from '../../crc32.ts'
import { localHeaderBytes, newPage, writeLocalHeader } from './format.ts'
import type { ArchiveEntry } from './plan.ts'
import type { Sizes } from './sizes.ts'

/** Successive entries of an archive, with their headers and bytes. */
export interface Section {
  /** Index of the first entry. */
  from: number
  /** Index after the last entry. */
  to: number
  bytes: number
  crc32: number
  /** Whether the few bytes after large files are stitched to them, instead of large files lending bytes to parts before them. */
  stitches: boolean
  /** Index of a large file that passes through the caller. */
  inlined?: number
  /** Upper bound of the number of parts, with `more` inline bytes at the end. */
  partsWith(more: number): number
}

/** A plan for the first files of a section: some lend bytes, the next one is inlined. */
interface Entrance {
  index: number
  /** Number of files that lend bytes. */
  gaps: number
  /** Bytes that pass through the caller in total. */
  bytes: number
}

/** Divides an archive into sections, each of which storage can compose; into one, if possible. */
export function sectionsOf(entries: readonly ArchiveEntry[], sizes: Sizes): Section[] {
  const sections: Section[] = []
  let survey = new Survey(0, sizes)
  const page = newPage()
  for (const entry of entries) {
    const headerBytes = localHeaderBytes(entry)
    if (survey.isFullWith(headerBytes, entry.bytes)) {
      sections.push(survey.section())
      survey = new Survey(survey.to, sizes)
    }
    survey.add(entry, page.bytes.subarray(0, writeLocalHeader(page, 0, entry)))
  }
  return [...sections, survey.section()]
}

/**
 * Surveys the entries of a section. The part before a large file may be too small. Then the large file lends its first bytes or, if that
 * would be too much in total, the bytes are appended ("stitched") to the previous large file in an intermediate object. Stitching needs the
 * whole file, because the CRC-32 of a piece of it is unknown. So a file that lent bytes can't be stitched. The first large files of a
 * section follow only a header, so they lend bytes until inlining one of them is cheaper.
 */
class Survey {
  readonly #from: number
  readonly #sizes: Sizes
  to: number
  #bytes = 0
  #crc32 = 0
  /** Bytes of headers and small files, in total and since the last large file. */
  #inlineBytes = 0
  #gapBytes = 0
  /** Copied parts, and the gaps before them: large ones are parts themselves, small ones are not. */
  #copies = 0
  #largeGaps = 0
  #smallGaps = 0
  /** Bytes that all small gaps together would borrow. */
  #borrowed = 0
  /** The small gaps before the first large gap. */
  #opening = { isOver: false, gaps: 0, borrowed: 0 }
  #cheapest: Entrance | undefined

  constructor(from: number, sizes: Sizes) {
    this.#from = from
    this.#sizes = sizes
    this.to = from
  }

  add(entry: ArchiveEntry, header: Uint8Array): void {
    this.#crc32 = combineCrc32(crc32(header, this.#crc32), entry.crc32, entry.bytes)
    this.#bytes += header.length + entry.bytes
    const isLarge = entry.bytes >= this.#sizes.inlineBelow
    const inline = header.length + (isLarge ? 0 : entry.bytes)
    this.#inlineBytes += inline
    this.#gapBytes += inline
    if (isLarge) this.#addLarge(entry.bytes)
    this.to += 1
  }

  isFullWith(headerBytes: number, bytes: number): boolean {
    const { minBytes, maxParts, partBytes, inlineBelow } = this.#sizes
    const more = bytes >= inlineBelow ? this.#copiesOf(bytes) + 2 : Math.ceil((headerBytes + bytes) / partBytes)
    return this.#bytes >= minBytes && this.#partsWith(0) + more > maxParts
  }

  section(): Section {
    const inlined = this.#stitches ? this.#entrance()?.index : undefined
    return {
      from: this.#from,
      to: this.to,
      bytes: this.#bytes,
      crc32: this.#crc32,
      stitches: this.#stitches,
      ...(inlined !== undefined && { inlined }),
      partsWith: (more) => this.#partsWith(more),
    }
  }

  #addLarge(bytes: number): void {
    const missing = this.#sizes.minBytes - this.#gapBytes
    this.#gapBytes = 0
    this.#copies += this.#copiesOf(bytes)
    if (missing <= 0) {
      this.#opening.isOver = true
      this.#largeGaps += 1
      return
    }
    this.#smallGaps += 1
    this.#borrowed += missing
    const opening = this.#opening
    if (opening.isOver) return
    const entrance = { index: this.to, gaps: opening.gaps, bytes: opening.borrowed + bytes }
    if (entrance.bytes < (this.#cheapest?.bytes ?? Infinity)) this.#cheapest = entrance
    opening.gaps += 1
    opening.borrowed += missing
  }

  get #stitches(): boolean {
    return this.#borrowed > this.#sizes.borrowed
  }

  /** Undefined if it is cheaper that all files of the opening lend bytes. */
  #entrance(): Entrance | undefined {
    return this.#cheapest && this.#cheapest.bytes < this.#opening.borrowed ? this.#cheapest : undefined
  }

  /** Copies of a file, stitched or not. */
  #copiesOf(bytes: number): number {
    return Math.max(1, Math.ceil((bytes + this.#sizes.minBytes) / this.#sizes.maxBytes))
  }

  #partsWith(more: number): number {
    const inPartsOf = (bytes: number) => Math.ceil(bytes / this.#sizes.partBytes)
    const gaps = this.#copies + this.#largeGaps + inPartsOf(this.#inlineBytes + more)
    if (!this.#stitches) return gaps + this.#smallGaps
    const entrance = this.#entrance()
    return gaps + (entrance ? entrance.gaps + inPartsOf(entrance.bytes) + 1 : this.#opening.gaps)
  }
}
