import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { catchUp } from '../../shared/backends/search/catch-up.ts'
import { IndexFile } from '../../shared/backends/search/index-file.ts'
import { mergePieces } from '../../shared/backends/search/merge.ts'
import type { SearchQuery } from '../../shared/backends/search/port.ts'
import { answer } from '../../shared/backends/search/query.ts'
import type { Term } from '../../shared/vocabulary/term.ts'
import { keptPath } from '../support/kept-files.ts'
import type { Row } from './report.ts'
import { COMPANY, everything, indexFolder, searchIndex } from './search-index.ts'
import { library, wordsByFrequency } from './search-library.ts'
import { median } from './timing.ts'

/**
 * An index after edits of one in a hundred files, each of which a search waited for: beside itself before, and after the merge of the idle writer.
 * @param options.rounds how often each kind of query is asked of each, in turns
 */
export async function run({ files, rounds }: { files: number; rounds: number }): Promise<Row[]> {
  await (await searchIndex(files))[Symbol.asyncDispose]()
  const names = ['before', 'after the changes', 'merged'] as const
  const paths = names.map((_, n) => keptPath(`search-changed-${n}.sqlite`))
  try {
    for (const path of paths) copyFileSync(join(indexFolder(files), `${COMPANY}.sqlite`), path)
    const [, changed, merged] = paths.map((path) => new IndexFile(path))
    for (const index of [changed!, merged!]) await change(index, files)
    const started = performance.now()
    await mergePieces(merged!, new AbortController().signal)
    const rows: Row[] = [{ what: 'merge', value: (performance.now() - started) / 1000, unit: 's' }]
    changed!.close()
    merged!.close()
    const readers = paths.map((path) => IndexFile.readOnly(path))
    for (const [kind, query] of kinds()) {
      const times: number[][] = names.map(() => [])
      for (let round = 0; round < rounds; round++) {
        for (const [n, reader] of readers.entries()) {
          const start = performance.now()
          answer(reader, query)
          times[n]!.push(performance.now() - start)
        }
      }
      const [before, after, last] = times.map(median) as [number, number, number]
      rows.push({ what: `${kind}, before`, value: before, unit: 'ms' })
      rows.push({ what: `${kind}, after the changes`, value: after / before, unit: 'x' })
      rows.push({ what: `${kind}, merged`, value: last / before, unit: 'x', atMost: 1.2 })
    }
    for (const reader of readers) reader.close()
    return rows
  } finally {
    for (const path of paths) for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  }
}

async function change(index: IndexFile, files: number): Promise<void> {
  let n = 0
  for (const document of library(files)) {
    if (n++ % 100 !== 0) continue
    const edited = { ...document, revision: 2, title: [...document.title, 'edited'] }
    const feed = { changes: async () => ({ changes: [edited], position: String(n), more: false }), documents: async () => [] }
    await catchUp(COMPANY, index, feed, { signal: new AbortController().signal })
  }
}

function kinds(): [string, SearchQuery][] {
  const words = wordsByFrequency()
  const term = (word: string, matching: Term['matching'] = 'prefix'): Term => ({ words: [word], matching, excluded: false })
  const terms: [string, Term[]][] = [
    ['mid AND mid', [term(words[149]!), term(words[299]!)]],
    ['common AND common', [term(words[1]!), term(words[4]!)]],
    ['a term in a third of all files', [term(words[7]!)]],
    ['3-letter prefix', [term(words[149]!.slice(0, 3))]],
    ['infix of 4', [term(words[199]!.slice(1, 5), 'infix')]],
  ]
  return terms.map(([kind, terms]) => [kind, { ...everything, terms }])
}
