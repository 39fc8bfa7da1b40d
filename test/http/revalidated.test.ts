import assert from 'node:assert/strict'
import { test } from 'vitest'
import { endpoints } from '../../functions/endpoints.ts'
import type { Endpoint } from '../../shared/http/endpoint.ts'
import { isRevalidated } from '../../shared/http/revalidated.ts'

test('lists have versions, but for those with secrets or with addresses that run out', () => {
  const lists = Object.entries<Endpoint>(endpoints).filter(([, endpoint]) => isRevalidated(endpoint))
  assert.deepEqual(lists.map(([name]) => name).sort(), [
    'get-bulk',
    'get-folder-access',
    'get-folder-path',
    'get-folder-tags',
    'get-media-access',
    'list-cdn-aliases',
    'list-clique-folders',
    'list-clique-members',
    'list-cliques',
    'list-company-folders',
    'list-company-users',
    'list-folders',
    'list-media-folders',
    'list-subtitles',
    'list-user-cliques',
    'list-user-folders',
  ])
})
