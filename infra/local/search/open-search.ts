import { availableParallelism } from 'node:os'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import { indexPath } from '../../../shared/backends/search/index-folder.ts'
import type { SearchEngine } from '../../../shared/backends/search/port.ts'
import type { EmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import { IndexWriterProcess } from './index-writer.ts'
import type { WriterSetup } from './messages.ts'
import { PooledSearch } from './pooled-search.ts'

/** Fewer would have one heavy query stop all others. */
const FEWEST_READERS = 2
/** Each has up to 64 MB of index pages in memory. */
const MOST_READERS = 4
/** Milliseconds that a query may take: less than clients wait for an answer. */
const LONGEST_QUERY = 25_000
/** Milliseconds without changes or searches after which indexes are merged. */
const IDLE = 30_000
/** The same where a company's query was ended for that, and others wait. */
const LONGEST_OF_SLOW = 2_000
const WAITING = { waiting: 1_000, waitingOfCompany: 500 }

/** The search engine on a data folder. */
export interface LocalSearch extends SearchEngine {
  close(): Promise<void>
}

/**
 * The search engine on a data folder. Its processes start with the first search.
 * @param setup where the writer finds the table and the index files
 */
export function openSearch(
  setup: Omit<WriterSetup, 'mergeAfter'>,
  { table, clock, mergeAfter = IDLE }: { table: Pick<EmbeddedTable, 'onCommit' | 'dataVersion'>; clock: Clock; mergeAfter?: number },
): LocalSearch {
  const writer = new IndexWriterProcess({ ...setup, mergeAfter }, clock)
  const pathOf = (companyId: number) => indexPath(setup.directory, companyId)
  const readers = Math.min(MOST_READERS, Math.max(FEWEST_READERS, availableParallelism()))
  const times = { maxWaitMs: LONGEST_QUERY, longest: LONGEST_QUERY, longestOfSlow: LONGEST_OF_SLOW }
  const engine = new PooledSearch({ writer, pathOf, version: versionOf(table), readers, ...times, ...WAITING })
  return {
    search: (companyId, query) => engine.search(companyId, query),
    countFiles: (companyId, folders) => engine.countFiles(companyId, folders),
    suggest: (companyId, query) => engine.suggest(companyId, query),
    async close() {
      await Promise.all([engine.close(), writer.close()])
    },
  }
}

/** Counts the commits of this process and notices those of others. */
function versionOf(table: Pick<EmbeddedTable, 'onCommit' | 'dataVersion'>): () => number {
  let own = 0
  table.onCommit(() => own++)
  return () => own + table.dataVersion()
}
