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
  /** Whether large files get the few bytes that follow them appended, rather than lend bytes to those before them. */
  stitches: boolean
  /** Index of a large file that passes through the caller. */
  inlined?: number
  /** An upper bound of how many parts it has, `more` inline bytes at its end included. */
  partsWith(more: number): number
}

/** A way through the first files of a section: these lend bytes, the next one is inlined. */
interface Entrance {
  index: number
  /** How many files lend. */
  gaps: number
  /** Bytes that pass through the caller in all. */
  bytes: number
}

/** Divides an archive into sections that storage can compose each: one, if possible. */
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
 * Looks at the entries of a section. A part before a large file may be too small. Then the large file lends its first bytes, or, where
 * that would be too much in total, the file before it gets these bytes appended ("stitched") in an object of its own. That takes the whole
 * file, for nobody knows the CRC-32 of a part of it. So a file that lent bytes isn't stitched, and the first large files of a section,
 * before which there is only a header, lend theirs until one that passes through the caller is cheaper.
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
  /** Parts that are copied, and gaps before them by whether they are parts. */
  #copies = 0
  #largeGaps = 0
  #smallGaps = 0
  /** Bytes that all small gaps would borrow. */
  #borrowed = 0
  /** The small gaps that no large gap precedes. */
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

  /** Undefined where it is cheaper that all files of the opening lend. */
  #entrance(): Entrance | undefined {
    return this.#cheapest && this.#cheapest.bytes < this.#opening.borrowed ? this.#cheapest : undefined
  }

  /** Also of a file that is stitched. */
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
