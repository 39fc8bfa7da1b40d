import type { Client } from '@opensearch-project/opensearch'
import type { SearchIndexer } from '../port.ts'
import { type Aliases, serviceAliases } from './alias-names.ts'
import { indexesOf } from './aliases.ts'
import { storeChanges } from './bulk.ts'

interface OpenSearchIndexerOptions {
  client: Client
  /** Milliseconds that a request waits for an engine that wakes, or is busy. */
  maxWaitMs: number
  aliases?: Aliases
}

/** Writes documents into OpenSearch, and into the index of a running rebuild. Without an index it writes nothing: the rebuild reads the table. */
export function openSearchIndexer({ client, maxWaitMs, aliases = serviceAliases }: OpenSearchIndexerOptions): SearchIndexer {
  /** Ignores an index that a rebuild has replaced, because the rebuild reads the table. @throws Error where the index is still in use */
  async function checkReplaced(gone: ReadonlySet<string>): Promise<void> {
    const used = Object.values(await indexesOf(client, aliases, maxWaitMs))
    const closed = used.find((index) => gone.has(index))
    if (closed !== undefined) throw new Error(`OpenSearch takes no documents into ${closed}, which is in use`)
  }

  return {
    async index(changes) {
      if (changes.length === 0) return []
      const { current, next } = await indexesOf(client, aliases, maxWaitMs)
      const indexes = new Set([current, next].filter((name) => name !== undefined))
      const { refused, gone } = await storeChanges(client, [...indexes], changes, maxWaitMs)
      if (gone.size > 0) await checkReplaced(gone)
      return refused
    },
  }
}
