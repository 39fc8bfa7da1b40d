import type { PlannedPart, Segment } from './plan.ts'

/**
 * Collects the bytes that the planner's caller assembles into parts of equal size. Holds back enough bytes to give the last part the
 * minimum size, too, unless it is the only one.
 */
export class InlinePart {
  readonly #minBytes: number
  readonly #partBytes: number
  #segments: Segment[] = []
  #bytes = 0

  constructor(sizes: { minBytes: number; partBytes: number }) {
    this.#minBytes = sizes.minBytes
    this.#partBytes = sizes.partBytes
  }

  /** Bytes that wait for a part. */
  get bytes(): number {
    return this.#bytes
  }

  get isFull(): boolean {
    return this.#bytes >= this.#partBytes + this.#minBytes
  }

  /** Appends bytes. Empty ones are ignored. */
  add(segment: Segment): void {
    const bytes = sizeOf(segment)
    if (bytes === 0) return
    this.#segments.push(segment)
    this.#bytes += bytes
  }

  /** Yields parts of full size, as long as enough bytes are left. */
  *full(): Generator<PlannedPart> {
    while (this.isFull) yield this.#takePart()
  }

  /** Yields all waiting bytes as parts, if there are any. */
  *flush(): Generator<PlannedPart> {
    yield* this.full()
    if (this.#bytes === 0) return
    const part = { bytes: this.#bytes, segments: this.#segments }
    this.#segments = []
    this.#bytes = 0
    yield part
  }

  #takePart(): PlannedPart {
    let excess = this.#bytes - this.#partBytes
    const rest: Segment[] = []
    while (excess > 0) {
      const last = this.#segments.pop()!
      const keep = Math.max(0, sizeOf(last) - excess)
      excess -= sizeOf(last) - keep
      if (keep > 0) this.#segments.push(pieceOf(last, 0, keep))
      rest.push(pieceOf(last, keep, sizeOf(last)))
    }
    const part = { bytes: this.#partBytes, segments: this.#segments }
    this.#segments = rest.reverse()
    this.#bytes -= this.#partBytes
    return part
  }
}

function sizeOf(segment: Segment): number {
  return 'bytes' in segment ? segment.bytes.length : segment.end - segment.start + 1
}

/** @param end not included */
function pieceOf(segment: Segment, start: number, end: number): Segment {
  if ('bytes' in segment) return { bytes: segment.bytes.subarray(start, end) }
  return { ...segment, start: segment.start + start, end: segment.start + end - 1 }
}
