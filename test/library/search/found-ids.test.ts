import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { SearchEngine } from '../../../shared/backends/search/port.ts'
import { NotReady } from '../../../shared/library/errors.ts'
import { foundIds } from '../../../shared/library/search/found-ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

test('what is done with all files of a search waits for an index that is being built', async () => {
  const library = openTestTable()
  const { admin } = await openTestCompany(library)
  const search: SearchEngine = {
    search: async () => ({ total: 1, mediaIds: [1], partial: true }),
    countFiles: async () => [],
    suggest: async () => [],
  }
  const wanted = {
    terms: [],
    folderIds: undefined,
    recursive: false,
    criteria: { order: 'created', direction: 'asc', limit: 1, offset: 0 },
  } as const
  await assert.rejects(foundIds({ ...requestOf(library, admin), search }, wanted, 10), (error) => {
    return error instanceof NotReady && error.code === 'search_index_building'
  })
})
