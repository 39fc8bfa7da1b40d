import assert from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import { PooledSearch } from '../../../infra/local/search/pooled-search.ts'
import { type EmbeddedSearch, embeddedSearch, type IndexEdition } from '../../../shared/backends/search/embedded.ts'
import { indexPath } from '../../../shared/backends/search/index-folder.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { documentFeed } from '../../../shared/library/media/search-feed.ts'
import { searchLayout } from '../../../shared/library/search/search-layout.ts'
import type { WantedMedia } from '../../../shared/library/search/search-media.ts'
import { type CompanyId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

/** Searches of an index as it was: what brings it up to date takes longer than they wait. */
async function behind(engine: EmbeddedSearch, directory: string, companyId: CompanyId): Promise<PooledSearch> {
  const edition = await engine.upToDate(companyId)
  const { promise: held, resolve: release } = Promise.withResolvers<IndexEdition>()
  const longest = 60_000
  const times = { maxWaitMs: 20, longest, longestOfSlow: longest }
  const pathOf = (id: number) => indexPath(directory, id)
  const limits = { readers: 1, waiting: 10, waitingOfCompany: 10 }
  const search = new PooledSearch({ writer: { upToDate: () => held }, pathOf, version: () => 0, ...times, ...limits })
  onTestFinished(() => {
    release(edition)
    return search.close()
  })
  return search
}

test('names no file that was removed, or left the folders of the caller, since an index was made that is being brought up to date', async () => {
  const library = openTestTable()
  const { table, clock } = library
  const { companyId, admin, user } = await openTestCompany(library)
  const folder = async (name: string) => (await createFolder(requestOf(library, admin), { name, parent: null })).folderId
  const [shared, other] = [await folder('Shared'), await folder('Other')]
  await setGrants(library, shared, user.user.userId, () => ['READ'])
  const june = (day: number) => Date.UTC(2025, 5, day) / 1000
  const put = (mediaId: number, given: Partial<Parameters<typeof putMedia>[1]>) =>
    putMedia(table, { companyId, folders: [shared], modified: clock.now(), created: mediaId, ...given, mediaId })
  await put(1, { cameraCreated: june(3), width: 300, height: 200 })
  await put(2, { cameraCreated: june(2), width: 100, height: 100 })
  await put(3, { cameraCreated: june(2), width: 200, height: 100 })
  await put(4, { cameraCreated: june(1), width: 50, height: 100 })
  await put(5, { cameraCreated: null, width: 70, height: 100 })
  await put(6, { cameraCreated: null, width: null, height: null })

  const directory = temporaryDirectory()
  const engine = embeddedSearch({ directory, feed: documentFeed({ table, clock }) })
  onTestFinished(() => engine.close())
  const search = await behind(engine, directory, companyId)
  const wanted: WantedMedia = {
    terms: [],
    recursive: false,
    criteria: { order: 'cameraCreated', direction: 'desc', limit: 100, offset: 0 },
  }
  const layout = () => searchLayout({ ...requestOf(library, user), search }, wanted)
  assert.deepEqual(await layout(), {
    total: 6,
    mediaIds: [1, 3, 2, 4, 6, 5],
    ratios: [150, 200, 100, 50, 0, 70],
    days: [
      ['2025-06-03', 1],
      ['2025-06-02', 2],
      ['2025-06-01', 1],
    ],
    partial: true,
  })

  await put(1, { cameraCreated: june(3), width: 300, height: 200, folders: [other], revision: 2 })
  await table.delete(mediaKey(toMediaId(3)))
  await put(6, { cameraCreated: null, folders: [other], revision: 2 })
  const { mediaIds, ratios, days, partial } = await layout()
  assert.deepEqual(
    { mediaIds, ratios, days, partial },
    {
      mediaIds: [2, 4, 5],
      ratios: [100, 50, 70],
      days: [
        ['2025-06-02', 1],
        ['2025-06-01', 1],
      ],
      partial: true,
    },
  )
})
