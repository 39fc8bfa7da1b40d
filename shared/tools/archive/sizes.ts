import type { PartRules } from './plan.ts'

const [KIB, MIB] = [2 ** 10, 2 ** 20]

/** Sizes by which the planner decides, in bytes. */
export interface Sizes extends PartRules {
  /** Smaller files pass through the planner's caller, larger ones are copied by storage. */
  inlineBelow: number
  /** Bytes of the parts that the caller puts together; one can have up to `minBytes` more. */
  partBytes: number
  /** How much of large files the caller may take to fill parts that are too small. */
  borrowed: number
}

/** Under S3's rules: files below 16 MiB, parts of 10 MiB, 125 MiB borrowed. */
export function sizesFor(rules: PartRules): Sizes {
  // Storage without a least size copies whatever is worth a call.
  if (rules.minBytes <= 1) return { ...rules, inlineBelow: 64 * KIB, partBytes: 4 * MIB, borrowed: 0 }
  const { minBytes, minRangeSourceBytes } = rules
  return {
    ...rules,
    inlineBelow: Math.max(Math.ceil(3.2 * minBytes), minRangeSourceBytes + 1),
    partBytes: 2 * minBytes,
    borrowed: 25 * minBytes,
  }
}
