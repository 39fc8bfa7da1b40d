import assert from 'node:assert/strict'
import { INDEX_FORMAT } from '../../shared/backends/search/index-file.ts'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { askForSnapshot } from '../../shared/library/index-snapshots/job.ts'
import { type StoredSnapshot, snapshotsKey } from '../../shared/library/index-snapshots/record.ts'
import { CATALOGUE, type CompanyId, toCompanyId } from '../../shared/vocabulary/ids.ts'
import type { World } from '../support/successes.ts'
import type { Sources } from './event-sources.ts'

/** The first search of each function's process: with a snapshot that is lost, and with the one that is made instead. */
export async function snapshots({ client, accounts, service }: World, sources: Sources): Promise<void> {
  const company = toCompanyId(service.demo.company_id)
  await setStock(accounts.library, company, true)
  const lost: StoredSnapshot = { name: 'lost', format: INDEX_FORMAT, asOf: 1, made: 1, isComplete: true, bytes: 1, stored: 1 }
  const q = 'harbour'
  const statusOf = async (call: Promise<{ status: number }>) => (await call).status
  const searches: [of: CompanyId, search: () => Promise<number>][] = [
    [company, () => statusOf(client['search-media']({ query: { q, return_values: 'unique_media_id' } }))],
    [company, () => statusOf(client['get-search-layout']({ query: { q } }))],
    [
      company,
      () => statusOf(client['change-media-in-bulk']({ body: { select: { search: { q }, expect: 0 }, change: { editorial: true } } })),
    ],
    [CATALOGUE, () => statusOf(client['search-stock']({ query: { q, return_values: 'unique_media_id' } }))],
    // It lists folders without the number of files while there is no index.
    [company, async () => ((await client['list-folders']({ query: { parent: '0' } })).body.some(isCounted) ? 200 : 503)],
  ]
  for (const [companyId, search] of searches) {
    await accounts.table.put({ ...snapshotsKey(companyId), companyId, snapshots: [lost] })
    assert.equal(await search(), 503, String(search))
    await sources.runJobs()
    assert.equal(await search(), 200, String(search))
  }
  // Two at a time, which begin with the snapshots before: the run of one wakes that of the other.
  const { library } = accounts
  const asking = { ...library, snapshotJobs: library.table }
  for (const companyId of [company, CATALOGUE]) await askForSnapshot(asking, companyId, { newerThan: library.clock.now() })
  await sources.runJobs()
  await setStock(library, company, false)
}

const isCounted = (folder: object) => 'file_count' in folder && folder.file_count !== null
