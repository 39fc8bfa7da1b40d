import type { PartRules } from './plan.ts'

const [KIB, MIB] = [2 ** 10, 2 ** 20]

/** Thresholds of the planner, in bytes. */
export interface Sizes extends PartRules {
  /** Smaller files pass through the planner's caller, larger ones are copied by storage. */
  inlineBelow: number
  /** Size of parts that the caller assembles; one can have up to `minBytes` more. */
  partBytes: number
  /** Bytes of large files that may pass through the caller to fill parts that are too small. */
  borrowed: number
}

/** With S3's rules: files below 16 MiB are inlined, parts have 10 MiB, 125 MiB are borrowed. */
export function sizesFor(rules: PartRules): Sizes {
  // Without a minimum size storage copies every file that is worth a call.
  if (rules.minBytes <= 1) return { ...rules, inlineBelow: 64 * KIB, partBytes: 4 * MIB, borrowed: 0 }
  const { minBytes, minRangeSourceBytes } = rules
  return {
    ...rules,
    inlineBelow: Math.max(Math.ceil(3.2 * minBytes), minRangeSourceBytes + 1),
    partBytes: 2 * minBytes,
    borrowed: 25 * minBytes,
  }
}
