import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { openCatalogue } from '../../../shared/library/stock/catalogue.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { CATALOGUE } from '../../../shared/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'

describe('the catalogue', () => {
  it('is made once, however many open it at the same time', async () => {
    const library = openTestTable()
    const opened = await Promise.all([openCatalogue(library), openCatalogue(library), openCatalogue(library)])
    const folders = new Set([...opened, await openCatalogue(library)].map(({ folderId }) => folderId))
    assert.equal(folders.size, 1)
    assert.equal((await loadTree(library, CATALOGUE)).all().toArray().length, 1)
  })
})
