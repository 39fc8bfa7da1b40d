import { InvalidParts, type Part } from './port.ts'
import { type ResolvedRange, resolveRange } from './ranges.ts'

/** Smallest part but the last, in bytes (S3: multipart upload limits). */
const MIN_PART_BYTES = 5 * 1024 ** 2
/** Largest part, in bytes. */
const MAX_PART_BYTES = 5 * 1024 ** 3
/** Most parts of one object. */
const MAX_PARTS = 10_000

/** An object that a composition copies from. */
export interface CopySource {
  key: string
  bytes: number
  etag: string
}

/** A valid part: bytes, or a source with the range to copy; without a range all of it. */
export type PlannedPart = { bytes: Uint8Array } | { source: CopySource; range?: ResolvedRange }

/**
 * Checks a composition by S3's rules and fits its ranges to their sources.
 * @param sources every object that the parts copy from, by key
 * @throws InvalidParts
 */
export function planParts(parts: readonly Part[], sources: ReadonlyMap<string, CopySource>): PlannedPart[] {
  if (parts.length === 0 || parts.length > MAX_PARTS) throw new InvalidParts(`an object has 1 to ${MAX_PARTS} parts, not ${parts.length}`)
  return parts.map((part, index) => {
    const planned = plan(part, sources)
    const bytes = partBytes(planned)
    if (bytes === 0) throw new InvalidParts(`part ${index + 1} is empty`)
    if (bytes > MAX_PART_BYTES) throw new InvalidParts(`part ${index + 1} has ${bytes} bytes, at most ${MAX_PART_BYTES} are allowed`)
    if (bytes < MIN_PART_BYTES && index < parts.length - 1) {
      throw new InvalidParts(`part ${index + 1} has ${bytes} bytes, all but the last have at least ${MIN_PART_BYTES}`)
    }
    return planned
  })
}

/** Size of a planned part, in bytes. */
export function partBytes(part: PlannedPart): number {
  if ('bytes' in part) return part.bytes.length
  return part.range ? part.range.end - part.range.start + 1 : part.source.bytes
}

/** Keys that a composition copies from, each once. */
export function copiedKeys(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap((part) => ('copy' in part ? [part.copy] : [])))]
}

function plan(part: Part, sources: ReadonlyMap<string, CopySource>): PlannedPart {
  if ('bytes' in part) return part
  const source = sources.get(part.copy)!
  if (!part.range) return { source }
  if (source.bytes <= MIN_PART_BYTES) throw new InvalidParts(`ranges are copied only of objects above ${MIN_PART_BYTES} bytes`)
  if (part.range.start >= source.bytes) throw new InvalidParts(`the range starts after the end of its source`)
  return { source, range: resolveRange(part.range, source.bytes) }
}
