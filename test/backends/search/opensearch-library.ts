import { randomUUID } from 'node:crypto'
import { Client } from '@opensearch-project/opensearch'
import { openSearchEngine } from '../../../shared/backends/search/opensearch/engine.ts'
import { indexDefinition } from '../../../shared/backends/search/opensearch/index-definition.ts'
import { openSearchIndexer } from '../../../shared/backends/search/opensearch/indexer.ts'
import type { DocumentFeed, SearchEngine } from '../../../shared/backends/search/port.ts'

/** Milliseconds that tests wait for the engine. */
const MAX_WAIT_MS = 60_000

/** A client of the engine that the project's global setup has started. */
export function testClient(): Client {
  return new Client({ node: process.env.OPENSEARCH_URL!, maxRetries: 0 })
}

/** An engine over an index of its own, which takes what is new of a feed before each search: where the service waits for the stream, tests don't. */
export async function openSearchOf(feed: DocumentFeed): Promise<{ engine: SearchEngine; close(): Promise<void> }> {
  const client = testClient()
  const current = `test-${randomUUID()}`
  const aliases = { current, next: `${current}-next` }
  const index = `${current}-1`
  await client.indices.create({ index, body: { ...indexDefinition, aliases: { [current]: {} } } })
  const [engine, indexer] = [
    openSearchEngine({ client, maxWaitMs: MAX_WAIT_MS, aliases }),
    openSearchIndexer({ client, maxWaitMs: MAX_WAIT_MS, aliases }),
  ]
  const positions = new Map<number, string>()

  async function follow(companyId: number): Promise<void> {
    for (let more = true; more; ) {
      const page = await feed.changes(companyId, positions.get(companyId))
      const refused = await indexer.index(page.changes.map((change) => ({ companyId, change })))
      if (refused.length > 0) throw new Error(`OpenSearch refuses: ${refused[0]!.reason}`)
      positions.set(companyId, page.position)
      ;({ more } = page)
    }
    await client.indices.refresh({ index })
  }

  return {
    engine: {
      async search(companyId, query) {
        await follow(companyId)
        return engine.search(companyId, query)
      },
      async countFiles(companyId, folders) {
        await follow(companyId)
        return engine.countFiles(companyId, folders)
      },
      async suggest(companyId, query) {
        await follow(companyId)
        return engine.suggest(companyId, query)
      },
    },
    async close() {
      await client.indices.delete({ index })
      await client.close()
    },
  }
}
