import assert from 'node:assert/strict'
import { photo } from '../../infra/smoke/photo.ts'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { importItems } from '../../shared/library/stock/import-items.ts'
import type { Entry } from '../../shared/library/stock/items.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import { fileOf } from '../support/entry-file.ts'
import { hmacAuthorization, type World } from '../support/successes.ts'
import type { Sources } from './event-sources.ts'

/** Items that the operator imports, with a file and without, and what users and applications do with them. */
export async function stock(world: World, sources: Sources): Promise<void> {
  const { client, accounts, service } = world
  const company = toCompanyId(service.demo.company_id)
  const library = { ...accounts.library, uploads: accounts.uploads }
  await setStock(library, company, true)
  const bytes = await photo()
  const photographed = (title: string): Entry => ({
    id: 'photo',
    metadata: { title: { en: title } },
    file: fileOf(bytes, 'lighthouse.jpg'),
  })
  const announced: Entry = { id: 'announced', metadata: { title: { en: 'Lighthouse to come' } } }
  assert.deepEqual(await importItems(library, [photographed('Lighthouse'), announced]), { imported: 2, unchanged: 0 })
  await sources.settle()

  const query = { q: 'lighthouse', media_type: 'image', return_values: 'unique_media_id,thumbnail_url' }
  const { body: found } = await client['search-stock']({ query })
  assert.deepEqual([found.response.hits, found.response.media.length], [1, 1])
  const id = found.response.media[0]!.unique_media_id!
  const application = await service.client(hmacAuthorization(await accounts.key(['downloads'])))
  const attributed = { user: service.demo.user_id }
  for (const caller of [client, application]) {
    assert.equal((await caller['get-media']({ params: { id } })).status, 200)
    assert.equal((await caller['get-metadata']({ params: { id } })).status, 200)
    assert.equal((await caller['get-preview']({ params: { id } })).status, 302)
    assert.equal((await caller['get-download-location']({ params: { id }, query: attributed })).status, 200)
    assert.equal((await caller['get-sized-download-location']({ params: { id, size: '320px' }, query: attributed })).status, 200)
  }

  // What was downloaded is prepared again once the operator says something else of it.
  assert.deepEqual(await importItems(library, [photographed('Old lighthouse')]), { imported: 1, unchanged: 0 })
  await sources.settle()
  assert.equal((await client['get-download-location']({ params: { id } })).status, 200)
  await setStock(library, company, false)
  assert.equal((await client['get-media']({ params: { id } })).status, 404)
  assert.equal((await client['search-stock']({ query })).status, 403)
}
