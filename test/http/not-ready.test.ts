import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, onTestFinished, test } from 'vitest'
import { endpoints } from '../../functions/endpoints.ts'
import { searchMedia } from '../../functions/search/search-media.ts'
import { searchStock } from '../../functions/stock/search-stock.ts'
import { PooledSearch } from '../../infra/local/search/pooled-search.ts'
import { settingsAt } from '../../infra/local/settings.ts'
import {
  type EmbeddedSearch,
  type EmbeddedSearchOptions,
  embeddedSearch,
  type IndexEdition,
} from '../../shared/backends/search/embedded.ts'
import { indexPath } from '../../shared/backends/search/index-folder.ts'
import type { DocumentFeed, SearchEngine } from '../../shared/backends/search/port.ts'
import { openEmbeddedSecrets } from '../../shared/backends/secrets/embedded.ts'
import type { Operations } from '../../shared/backends/table/port.ts'
import { apiHandler } from '../../shared/http/kernel/kernel.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { splitRoute } from '../../shared/http/route.ts'
import { createKey } from '../../shared/library/accounts/api-keys.ts'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { issueToken } from '../../shared/library/accounts/tokens.ts'
import { storedSnapshots } from '../../shared/library/index-snapshots/stored-snapshots.ts'
import { feedPosition } from '../../shared/library/media/change-feed.ts'
import { mediaKey } from '../../shared/library/media/keys.ts'
import { catalogueSearch } from '../../shared/library/stock/catalogue-search.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { CATALOGUE, type CompanyId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { aDocument, MemoryFeed } from '../backends/search/memory-feed.ts'
import { apiEvent } from '../support/api-event.ts'
import { conformity } from '../support/conformity.ts'
import { openTestCompany, openTestTable } from '../support/library.ts'
import { puts } from '../support/puts.ts'

const BASE_URL = 'http://127.0.0.1'

const routes = { 'own media': searchMedia.route(defaultSettings), 'the stock library': searchStock.route(defaultSettings) }

/** What a search answers where the index is as said. */
async function searched(
  what: keyof typeof routes,
  feed: (companyId: number) => DocumentFeed,
  optionsOf: (library: ReturnType<typeof openTestTable>, companyId: CompanyId) => Promise<Partial<EmbeddedSearchOptions>>,
  through: (engine: EmbeddedSearch, directory: string, companyId: CompanyId) => Promise<SearchEngine> = async (engine) => engine,
) {
  const library = openTestTable()
  const { table, clock } = library
  const directory = mkdtempSync(join(tmpdir(), 'not-ready-'))
  const { companyId, admin } = await openTestCompany(library)
  const searchedCompany = what === 'own media' ? companyId : CATALOGUE
  const options = await optionsOf(library, searchedCompany)
  const engine = embeddedSearch({ directory, feed: feed(searchedCompany), ...options })
  const search = await through(engine, directory, searchedCompany)
  onTestFinished(async () => {
    await engine.close()
    rmSync(directory, { recursive: true })
  })
  await setStock(library, companyId, true)
  const { record: key } = await createKey(
    { ...library, apiSecretsKey: openEmbeddedSecrets(join(directory, 'secrets')) },
    { companyId, grants: [] },
  )
  const { token } = await issueToken(library, admin.user, key, 1)
  const kernel = { settings: settingsAt(BASE_URL, defaultSettings), clock, log: jsonLog(() => undefined), baseUrl: BASE_URL }
  const never = async () => assert.fail('nothing is found')
  const urls = { sign: never }
  const stock = { ...catalogueSearch({ table, search }), item: never, thumbnail: never, download: never }
  const handler =
    what === 'own media' ? apiHandler(searchMedia, { table, search, urls }, kernel) : apiHandler(searchStock, { table, stock }, kernel)
  const { path } = splitRoute(routes[what])
  const authorization = `SVC-SIMPLE-TOKEN Token=${token}`
  const event = apiEvent({ method: 'GET', path, authorization }, path, {})
  const query = { q: 'harbour', return_values: 'title' }
  const multiValueQueryStringParameters = { q: ['harbour'], return_values: ['title'] }
  const { statusCode, headers, body } = await handler({ ...event, queryStringParameters: query, multiValueQueryStringParameters })
  const answer = JSON.parse(body)
  conformity(openApiDocument(endpoints, defaultSettings))(routes[what], statusCode, answer)
  return { statusCode, headers: headers ?? {}, code: answer.code, partial: answer.partial }
}

describe.each(['own media', 'the stock library'] as const)('a search of %s whose index is not ready', (what) => {
  test('is 503 with a time to come again while the index is being built', async () => {
    const held = Promise.withResolvers<void>()
    const slow: DocumentFeed = {
      changes: () => held.promise.then(() => ({ changes: [], position: '', more: false })),
      documents: async () => [],
    }
    const { statusCode, headers, code } = await searched(
      what,
      () => slow,
      async () => ({ maxWaitMs: 20 }),
    ).finally(held.resolve)
    assert.deepEqual([statusCode, code], [503, 'search_index_building'])
    assert.match(String(headers['Retry-After']), /^\d+$/)
    assert.equal(headers['Cache-Control'], 'no-store')
  })

  test('finds what is in it so far on one machine, and says so', async () => {
    const file = (companyId: number) => {
      const feed = new MemoryFeed()
      feed.commit(companyId, aDocument({ mediaId: 1, title: 'harbour' }))
      return feed
    }
    const { promise: held, resolve: release } = Promise.withResolvers<IndexEdition>()
    const { statusCode, partial } = await searched(
      what,
      file,
      async () => ({}),
      async (engine, directory, companyId) => {
        const edition = await engine.upToDate(companyId)
        const search = new PooledSearch({
          writer: { upToDate: () => held },
          pathOf: (id) => indexPath(directory, id),
          version: () => 0,
          readers: 1,
          maxWaitMs: 20,
          longest: 60_000,
          longestOfSlow: 60_000,
          waiting: 10,
          waitingOfCompany: 10,
        })
        onTestFinished(() => {
          release(edition)
          return search.close()
        })
        return search
      },
    )
    assert.deepEqual([statusCode, partial], [200, true])
  })

  test('is 503 with a time to come again while the first snapshot of many files is being made, which is asked for once', async () => {
    const asked: Operations[] = []
    const snapshotsOf = async ({ table, clock }: ReturnType<typeof openTestTable>, companyId: CompanyId) => {
      for (let first = 1; first <= 5_001; first += 100) {
        const mediaIds = Array.from({ length: Math.min(100, 5_002 - first) }, (_, n) => toMediaId(first + n))
        await table.transact(
          puts(mediaIds.map((mediaId) => ({ ...mediaKey(mediaId), ...feedPosition({ companyId, mediaId }, clock.now()) }))),
        )
      }
      const never = async () => assert.fail('there is no snapshot')
      const snapshotJobs = { transact: async (operations: Operations) => void asked.push(operations) }
      return {
        snapshots: storedSnapshots({ table, clock, snapshotFiles: { get: never }, snapshotJobs, log: jsonLog(() => undefined) }),
      }
    }
    const unread: DocumentFeed = { changes: () => assert.fail('nothing is built'), documents: async () => [] }
    const { statusCode, headers, code } = await searched(what, () => unread, snapshotsOf)
    assert.deepEqual([statusCode, code], [503, 'search_index_building'])
    assert.equal(headers['Retry-After'], '10')
    assert.equal(asked.length, 1)
  })

  test('is 503 without one where there is no room for it', async () => {
    const large = (companyId: number) => {
      const feed = new MemoryFeed()
      feed.commit(companyId, ...Array.from({ length: 2_000 }, (_, n) => aDocument({ mediaId: n + 1, title: `harbour ${n}` })))
      return feed
    }
    const { statusCode, headers, code } = await searched(what, large, async () => ({ maxBytes: 500_000 }))
    assert.deepEqual([statusCode, code], [503, 'search_index_too_large'])
    assert.equal(headers['Retry-After'], undefined)
  })
})
