import type { PlannedPart, Segment } from './plan.ts'

const NONE: readonly PlannedPart[] = []

/**
 * What the planner's caller puts together, in parts of the same size. So much is held back that the last part has the least size, too,
 * once there was a part before it.
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

  /** How many bytes wait for their part. */
  get bytes(): number {
    return this.#bytes
  }

  /** Appends bytes. Empty ones are ignored. @returns parts that are full */
  add(segment: Segment): readonly PlannedPart[] {
    const bytes = sizeOf(segment)
    if (bytes === 0) return NONE
    this.#segments.push(segment)
    this.#bytes += bytes
    if (this.#bytes < this.#partBytes + this.#minBytes) return NONE
    const full: PlannedPart[] = []
    while (this.#bytes >= this.#partBytes + this.#minBytes) full.push(this.#takePart())
    return full
  }

  /** @returns the part of what waits, if anything does */
  flush(): readonly PlannedPart[] {
    if (this.#bytes === 0) return NONE
    const part = { bytes: this.#bytes, segments: this.#segments }
    this.#segments = []
    this.#bytes = 0
    return [part]
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
