import { parseArgs } from 'node:util'
import type { EmbeddedSearch } from '../../shared/backends/search/embedded.ts'
import type { SearchQuery } from '../../shared/backends/search/port.ts'
import type { Term } from '../../shared/vocabulary/term.ts'
import { COMPANY, searchIndex } from './search-index.ts'
import { wordsByFrequency } from './search-library.ts'

export interface SearchBenchOptions {
  /** Number of files. */
  files: number
  /** How often each kind of query is asked. */
  rounds: number
}

export interface SearchBenchResult {
  files: number
  /** Absent when the index of an earlier run was there. */
  filesIndexedPerSecond?: number
  bytesPerFile: number
  /** Milliseconds through the port: exact total and a page of 24. */
  queries: { kind: string; total: number; p50: number; p95: number }[]
}

/** Measures the embedded search engine on a generated library, whose index is kept for the next run. */
export async function run({ files, rounds }: SearchBenchOptions): Promise<SearchBenchResult> {
  await using index = await searchIndex(files)
  const queries = []
  for (const [kind, query] of kinds()) queries.push({ kind, ...(await measure(index.engine, query, rounds)) })
  const { filesIndexedPerSecond: speed, bytesPerFile } = index
  return {
    files,
    ...(speed !== undefined && { filesIndexedPerSecond: Math.round(speed) }),
    bytesPerFile: Math.round(bytesPerFile),
    queries,
  }
}

const newest: Omit<SearchQuery, 'terms'> = { scope: { except: [] }, order: 'created', direction: 'desc', limit: 24, offset: 0 }

/** The kinds of query that the design sets targets for, and some that are worse. */
export function kinds(): [string, SearchQuery][] {
  const words = wordsByFrequency()
  const word = (rank: number, matching: Term['matching'] = 'prefix'): Term => ({
    words: [words[rank - 1] ?? ''],
    matching,
    excluded: false,
  })
  const starting = (rank: number, letters: number): Term => ({ ...word(rank), words: [(words[rank - 1] ?? '').slice(0, letters)] })
  const within = (rank: number, from: number, to: number): Term => ({
    ...word(rank, 'infix'),
    words: [(words[rank - 1] ?? '').slice(from, to)],
  })
  const folders = Array.from({ length: 200 }, (_, n) => 7 * n + 1)
  const sharing = Array.from({ length: 100 }, (_, n) => 2_001 + n)
  const everyFolder = Array.from({ length: 2_000 }, (_, n) => n + 1)
  const trash = Array.from({ length: 50 }, (_, n) => 1_950 + n)
  const plain: [string, Term[], Partial<SearchQuery>?][] = [
    ['everything', []],
    ['mid AND mid', [word(150), word(300)]],
    ['3-letter prefix', [starting(150, 3)]],
    ['broad 3-letter prefix', [starting(30, 3)]],
    ['1-letter prefix', [starting(30, 1)]],
    ['common AND common', [word(2), word(5)]],
    ['a term in a third of all files', [word(8)]],
    ['infix of 4', [within(200, 1, 5)]],
    ['infix of 3', [within(200, 1, 4)]],
    ['2-letter infix', [within(200, 1, 3)]],
    ['1-letter infix', [within(200, 1, 2)]],
    ['200 folders + mid term', [word(150)], { scope: { only: folders } }],
    ['200 folders + common term', [word(8)], { scope: { only: folders } }],
    ['browsing 200 folders', [], { scope: { only: folders } }],
    ['browsing 200 folders, oldest first', [], { scope: { only: folders }, direction: 'asc' }],
    ['offset 5,000 of 200 folders', [], { scope: { only: folders }, offset: 5_000 }],
    ['browsing, 200 folders of which 100 share files with others', [], { scope: { only: [...folders.slice(100), ...sharing] } }],
    ['browsing 1 folder of few files', [], { scope: { only: [1_900] } }],
    ['browsing 20 folders', [], { scope: { only: folders.slice(0, 20) } }],
    ['browsing 2,000 folders', [], { scope: { only: everyFolder } }],
    ['images in 200 folders', [], { scope: { only: folders }, kinds: ['image'] }],
    ['all but 50 trashcans + common term', [word(8)], { scope: { except: trash } }],
    ['all but 50 trashcans', [], { scope: { except: trash } }],
    ['common term, images only', [word(8)], { kinds: ['image'] }],
    ['all but a common term', [{ ...word(8), excluded: true }]],
    ['mid term or folder tag on 100 folders', [{ ...word(150), folders: folders.slice(0, 100) }]],
    ['offset 9,000 of a common term', [word(2)], { offset: 9_000 }],
    ['by camera time, mid term', [word(150)], { order: 'cameraCreated' }],
    ['by distance, all', [], { order: 'distance', direction: 'asc', near: { latitude: 55.7, longitude: 12.6 } }],
  ]
  return plain.flatMap(([kind, terms, rest = {}]): [string, SearchQuery][] => {
    const query = { ...newest, terms, ...rest }
    const byRelevance: [string, SearchQuery] = [`${kind}, by relevance`, { ...query, order: 'relevance' }]
    return rest.order || terms.length === 0 ? [[kind, query]] : [[kind, query], byRelevance]
  })
}

async function measure(engine: EmbeddedSearch, query: SearchQuery, rounds: number) {
  const { total } = await engine.search(COMPANY, query)
  const times: number[] = []
  for (let n = 0; n < rounds; n++) {
    // Engines may know a list of folders that they have seen before; here every list is a new one.
    const asked = 'only' in query.scope ? { ...query, scope: { only: [...query.scope.only] } } : query
    const start = performance.now()
    await engine.search(COMPANY, asked)
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Number((times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2))
  return { total, p50: at(0.5), p95: at(0.95) }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { files: { type: 'string', default: '200000' }, rounds: { type: 'string', default: '21' } } })
  const { queries, ...rest } = await run({ files: Number(values.files), rounds: Number(values.rounds) })
  console.log(rest)
  console.table(queries)
}
