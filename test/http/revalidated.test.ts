import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type EndpointName, endpoints } from '../../functions/endpoints.ts'
import { isRevalidated } from '../../shared/http/revalidated.ts'

test('lists have versions, but for those with secrets or with addresses that run out', () => {
  const isVersioned = (name: EndpointName) => isRevalidated(endpoints[name])
  const lists: EndpointName[] = [
    'list-folders',
    'list-cliques',
    'list-company-users',
    'list-subtitles',
    'get-folder-tags',
    'get-folder-path',
  ]
  const others: EndpointName[] = ['list-api-keys', 'search-media', 'get-download-location', 'get-part-urls', 'create-folder', 'get-folder']
  assert.deepEqual([lists.filter((name) => !isVersioned(name)), others.filter(isVersioned)], [[], []])
})
