import type { Row } from './report.ts'
import type { SearchBenchOptions, SearchBenchResult } from './search.ts'

/** Size of library for which the targets are set. */
const TARGETED_FILES = 200_000

/** Targets in milliseconds for p50, newest first and by relevance, by the beginning of the kind's name. */
const TARGETS: [kind: string, atMost: number][] = [
  ['mid AND mid', 1.5],
  ['3-letter prefix', 3],
  ['common AND common', 15],
  ['a term in a third of all files', 10],
  ['infix of', 15],
  ['200 folders + mid term', 5],
  // 1.3 times what FTS5 takes for the same by itself.
  ['browsing 200 folders', 0.82],
  ['offset 9,000', 15],
]

/** What the bench of the search engine tells, as rows. */
export function searchRows({ run }: { run(options: SearchBenchOptions): Promise<SearchBenchResult> }) {
  return {
    async run(options: { files: number; rounds: number }): Promise<Row[]> {
      const { files, filesIndexedPerSecond, bytesPerFile, queries } = await run(options)
      const indexing = filesIndexedPerSecond === undefined ? [] : [{ what: 'indexing', value: filesIndexedPerSecond, unit: 'files/s' }]
      const kinds = queries.flatMap(({ kind, total, p50, p95 }): Row[] => {
        const target = files === TARGETED_FILES ? TARGETS.find(([start]) => kind.startsWith(start)) : undefined
        return [
          { what: `${kind} (${total} hits), p50`, value: p50, unit: 'ms', ...(target && { atMost: target[1] }) },
          { what: `${kind} (${total} hits), p95`, value: p95, unit: 'ms' },
        ]
      })
      return [...indexing, { what: 'index', value: bytesPerFile, unit: 'bytes/file' }, ...kinds]
    },
  }
}
