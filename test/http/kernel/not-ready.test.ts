import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { searchMedia } from '../../../functions/search/search-media.ts'
import { settingsAt } from '../../../infra/local/settings.ts'
import { IndexBehind, IndexTooLarge, SearchBusy, type SearchResult } from '../../../shared/backends/search/port.ts'
import { openEmbeddedSecrets } from '../../../shared/backends/secrets/embedded.ts'
import { splitRoute } from '../../../shared/http/declaration/route.ts'
import { apiHandler } from '../../../shared/http/kernel/kernel.ts'
import { openApiDocument } from '../../../shared/http/openapi/document.ts'
import { createKey } from '../../../shared/library/accounts/api-keys.ts'
import { issueToken } from '../../../shared/library/accounts/tokens.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { apiEvent } from '../../support/api-event.ts'
import { conformity } from '../../support/conformity.ts'
import { openTestCompany, openTestTable } from '../../support/library.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const BASE_URL = 'http://127.0.0.1'

/** What a search answers where its engine does as said. */
async function searched(answer: () => Promise<SearchResult>) {
  const library = openTestTable()
  const { table, clock } = library
  const directory = temporaryDirectory()
  const { companyId, admin } = await openTestCompany(library)
  const { record: key } = await createKey(
    { ...library, apiSecretsKey: openEmbeddedSecrets(join(directory, 'secrets')) },
    { companyId, grants: [] },
  )
  const { token } = await issueToken(library, admin.user, key, 1)
  const kernel = { settings: settingsAt(BASE_URL, defaultSettings), clock, log: jsonLog(() => undefined), baseUrl: BASE_URL }
  const never = async () => assert.fail('nothing is found')
  const search = { search: answer, countFiles: never, suggest: never }
  const handler = apiHandler(searchMedia, { table, search, urls: { sign: never } }, kernel)
  const route = searchMedia.route(defaultSettings)
  const { path } = splitRoute(route)
  const event = apiEvent({ method: 'GET', path, authorization: `SVC-SIMPLE-TOKEN Token=${token}` }, path, {})
  const query = { q: 'harbour', return_values: 'title' }
  const multiValueQueryStringParameters = { q: ['harbour'], return_values: ['title'] }
  const { statusCode, headers = {}, body } = await handler({ ...event, queryStringParameters: query, multiValueQueryStringParameters })
  const told = JSON.parse(body)
  conformity(openApiDocument(endpoints, defaultSettings))(route, statusCode, told)
  return [statusCode, told.code ?? told.partial, headers['Retry-After'], headers['Cache-Control']]
}

describe('a search whose index', () => {
  test.each<[how: string, answer: () => Promise<SearchResult>, expected: unknown[]]>([
    ['is being built', () => Promise.reject(new IndexBehind('')), [503, 'search_index_building', '2', 'no-store']],
    [
      'waits for its first snapshot',
      () => Promise.reject(new IndexBehind('', { retryAfter: 10 })),
      [503, 'search_index_building', '10', 'no-store'],
    ],
    ['is asked too much', () => Promise.reject(new SearchBusy()), [503, 'search_busy', '5', 'no-store']],
    ['has no room', () => Promise.reject(new IndexTooLarge()), [503, 'search_index_too_large', undefined, 'no-store']],
    ['answers with what is in it so far', async () => ({ total: 0, mediaIds: [], partial: true }), [200, true, undefined, 'no-store']],
  ])('%s', async (_, answer, expected) => {
    assert.deepEqual(await searched(answer), expected)
  })
})
