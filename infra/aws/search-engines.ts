import { allow, env, type Grant, type Targets } from './grant.ts'

/** The engines that find media, as an operator names them. */
export const searchEngines = ['embedded', 'opensearch'] as const
export type SearchEngineName = (typeof searchEngines)[number]

const OPEN_SEARCH = 'shared/backends/search/opensearch'
const client = `openSearchClient({ endpoint: ${env('SEARCH_ENDPOINT')}, region: ${env('AWS_REGION')} })`

/** IAM lets a function reach the collection; what it may do there the collection says (stack/search-collection.ts). */
function collectionGrant(module: string, make: string, maxWaitMs: number): Grant {
  return {
    statements: ({ searchCollection }) => (searchCollection ? [allow(['aoss:APIAccessAll'], searchCollection.arn)] : []),
    environment: ({ searchCollection }: Targets): Record<string, string> =>
      searchCollection ? { SEARCH_ENDPOINT: searchCollection.endpoint } : {},
    adapter: {
      imports: { [`${OPEN_SEARCH}/${module}`]: [make], [`${OPEN_SEARCH}/client.ts`]: ['openSearchClient'] },
      make: `${make}({ client: ${client}, maxWaitMs: ${maxWaitMs} })`,
    },
  }
}

/** The grant of searches where the engine is OpenSearch. Two waits of 12 s fit into 29 s. */
export const openSearchGrant = collectionGrant('engine.ts', 'openSearchEngine', 12_000)

/** Capacity that a collection without traffic lacks comes within 30 s. */
export const indexerGrant = collectionGrant('indexer.ts', 'openSearchIndexer', 40_000)

/** Its index needs no snapshots: jobs that are to make them end at once. */
export const noIndexWriterGrant: Grant = {
  statements: () => [],
  environment: () => ({}),
  adapter: { imports: { 'shared/backends/search/snapshots/port.ts': ['noIndexWriter'] }, make: 'noIndexWriter' },
}
