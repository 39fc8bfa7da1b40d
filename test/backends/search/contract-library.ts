import assert from 'node:assert/strict'
import { onTestFinished } from 'vitest'
import type { SearchEngine, SearchQuery, SuggestQuery } from '../../../shared/backends/search/port.ts'
import { parseQuery, type QueryType } from '../../../shared/vocabulary/parse-query.ts'
import { aDocument, type Change, type DocumentFields, MemoryFeed } from './memory-feed.ts'

/** Opens an engine under test, empty, that follows the feed. */
export type OpenEngine = (feed: MemoryFeed) => Promise<{ engine: SearchEngine; close(): Promise<void> }>

/** The company of all tests of the contract. */
export const COMPANY = 7

/** The query that finds all files of a small library, oldest first. */
export const everything: SearchQuery = { terms: [], scope: { except: [] }, order: 'created', direction: 'asc', limit: 1_000, offset: 0 }

/** A library of these documents in an engine, which the test's end closes. */
export async function library(open: OpenEngine, documents: DocumentFields[]) {
  const feed = new MemoryFeed()
  feed.commit(COMPANY, ...documents.map(aDocument))
  const { engine, close } = await open(feed)
  onTestFinished(close)
  const search = (query: Partial<SearchQuery> = {}) => engine.search(COMPANY, { ...everything, ...query })
  /** All ids that a query finds. */
  const ids = async (query: Partial<SearchQuery> = {}) => {
    const { total, mediaIds } = await search(query)
    assert.equal(total, mediaIds.length)
    return mediaIds
  }
  return {
    ids,
    search,
    /** All ids that a query finds that is written as people write them. */
    find: (q: string, type: QueryType = 'default', query: Partial<SearchQuery> = {}) => ids({ terms: parseQuery(q, type), ...query }),
    /** The phrases that an engine suggests, each with its file. */
    suggest: async (phrases: string | string[], query: Partial<SuggestQuery> = {}) => {
      const asked: SuggestQuery = { phrases: [phrases].flat(), matching: 'beginning', scope: { except: [] }, limit: 20, ...query }
      return (await engine.suggest(COMPANY, asked)).map(({ phrase, mediaId }) => `${phrase} ${mediaId}`)
    },
    counts: (...folders: number[]) => engine.countFiles(COMPANY, folders),
    commit: (...changes: Change[]) => feed.commit(COMPANY, ...changes),
  }
}
