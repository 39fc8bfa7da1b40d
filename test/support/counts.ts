/** How the tests of one or more runs ended. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** `12 passed, 0 failed, 1 skipped`, with a line end. */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped\n`
}

/** The sum of such lines. */
export function sumCounts(lines: string): Counts {
  const total: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const [, passed, failed, skipped] of lines.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)) {
    total.passed += Number(passed)
    total.failed += Number(failed)
    total.skipped += Number(skipped)
  }
  return total
}
