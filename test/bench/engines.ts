import { Client } from '@opensearch-project/opensearch'
import { openSearchEngine } from '../../shared/backends/search/opensearch/engine.ts'
import { indexDefinition } from '../../shared/backends/search/opensearch/index-definition.ts'
import { openSearchIndexer } from '../../shared/backends/search/opensearch/indexer.ts'
import type { CompanyChange, SearchEngine, SearchQuery } from '../../shared/backends/search/port.ts'
import { startOpenSearch } from '../support/aws/opensearch.ts'
import type { Row } from './report.ts'
import { kinds } from './search.ts'
import { COMPANY, searchIndex } from './search-index.ts'
import { library } from './search-library.ts'
import { median, timed } from './timing.ts'

const MAX_WAIT_MS = 600_000
const BATCH = 2_000
const aliases = { current: 'bench', next: 'bench-next' }
const index = 'bench-1'

/** The kinds of query that are compared: each does other work. */
const COMPARED = [
  'everything',
  'mid AND mid',
  '3-letter prefix',
  'broad 3-letter prefix',
  '1-letter prefix',
  'common AND common',
  'common AND common, by relevance',
  'a term in a third of all files',
  'infix of 4',
  'infix of 3',
  '2-letter infix',
  '200 folders + mid term',
  '200 folders + common term',
  'browsing 200 folders',
  'all but 50 trashcans + common term',
  'common term, images only',
  'by camera time, mid term',
  'by distance, all',
]

/**
 * Measures both search engines through the port, on the same library, in turns: the embedded one in the process, as searches of a function have
 * it, and OpenSearch over HTTP on the loopback interface. Both give exact totals and a page of 24.
 */
export async function run({ files, rounds }: { files: number; rounds: number }): Promise<Row[]> {
  const { environment, stop } = await startOpenSearch()
  const client = new Client({ node: environment.OPENSEARCH_URL!, maxRetries: 0 })
  try {
    const seconds = await fill(client, files)
    await using first = await searchIndex(files)
    const rows: Row[] = [
      { what: 'OpenSearch, indexing', value: Math.round(files / seconds), unit: 'files/s' },
      { what: 'OpenSearch, index', value: Math.round((await bytesOf(client)) / files), unit: 'bytes/file' },
      { what: 'embedded, index', value: Math.round(first.bytesPerFile), unit: 'bytes/file' },
    ]
    const second = openSearchEngine({ client, maxWaitMs: MAX_WAIT_MS, aliases })
    for (const [kind, query] of kinds())
      if (COMPARED.includes(kind)) rows.push(...(await compare(first.engine, second, kind, query, rounds)))
    return rows
  } finally {
    await client.close()
    await stop()
  }
}

/** The Java machine compiles what runs often: rounds before those that count warm it up. */
async function compare(first: SearchEngine, second: SearchEngine, kind: string, query: SearchQuery, rounds: number): Promise<Row[]> {
  const { total } = await first.search(COMPANY, query)
  const other = await second.search(COMPANY, query)
  if (other.total !== total) throw new Error(`${kind}: ${total} hits, OpenSearch finds ${other.total}`)
  const [embedded, openSearch]: [number[], number[]] = [[], []]
  for (let round = -rounds; round < rounds; round++) {
    // Engines may know a list of folders that they have seen before.
    const asked = 'only' in query.scope ? { ...query, scope: { only: [...query.scope.only] } } : query
    const [one = 0] = await timed(1, () => first.search(COMPANY, asked))
    const [two = 0] = await timed(1, () => second.search(COMPANY, asked))
    if (round < 0) continue
    embedded.push(one)
    openSearch.push(two)
  }
  const limit = median(openSearch)
  return [
    { what: `${kind} (${total} hits), p50 by OpenSearch`, value: limit, unit: 'ms' },
    { what: `${kind}, p50 by the embedded engine`, value: median(embedded), unit: 'ms', atMost: Number(limit.toFixed(2)) },
  ]
}

/** @returns seconds that indexing takes, until searches find everything */
async function fill(client: Client, files: number): Promise<number> {
  await client.indices.create({
    index,
    body: {
      ...indexDefinition,
      settings: { ...indexDefinition.settings, refresh_interval: '-1', number_of_replicas: 0 },
      aliases: { [aliases.current]: {} },
    },
  })
  const indexer = openSearchIndexer({ client, maxWaitMs: MAX_WAIT_MS, aliases })
  const start = performance.now()
  let batch: CompanyChange[] = []
  for (const change of library(files)) {
    batch.push({ companyId: COMPANY, change })
    if (batch.length < BATCH) continue
    await indexer.index(batch)
    batch = []
  }
  await indexer.index(batch)
  await client.indices.refresh({ index })
  const seconds = (performance.now() - start) / 1000
  // As an index that nobody changes is in the end.
  await client.indices.forcemerge({ index, max_num_segments: 1 }, { requestTimeout: MAX_WAIT_MS })
  return seconds
}

async function bytesOf(client: Client): Promise<number> {
  const { body } = await client.indices.stats({ index, metric: ['store'] })
  return body._all.primaries?.store?.size_in_bytes ?? 0
}
