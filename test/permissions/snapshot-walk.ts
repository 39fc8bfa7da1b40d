import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { INDEX_FORMAT } from '../../shared/backends/search/index-file.ts'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { askForSnapshot } from '../../shared/library/index-snapshots/job.ts'
import { type StoredSnapshot, snapshotsKey } from '../../shared/library/index-snapshots/record.ts'
import { CATALOGUE, type CompanyId, toCompanyId } from '../../shared/vocabulary/ids.ts'
import type { World } from '../support/successes.ts'
import { customResourceRequest } from './custom-resource-request.ts'
import type { Deployment } from './deployment.ts'
import type { Sources } from './event-sources.ts'

/**
 * A deployment with another format of indexes. Then the first search of each function's process: with a snapshot that is lost, and with the one that
 * is made instead.
 */
export async function snapshots({ client, accounts, service, folder }: World, { functions }: Deployment, sources: Sources): Promise<void> {
  const company = toCompanyId(service.demo.company_id)
  await setStock(accounts.library, company, true)
  const lost: StoredSnapshot = { name: 'lost', format: INDEX_FORMAT, asOf: 1, made: 1, isComplete: true, bytes: 1, stored: 1 }
  await accounts.table.put({ ...snapshotsKey(company), companyId: company, snapshots: [{ ...lost, format: INDEX_FORMAT - 1 }] })
  const renewed = customResourceRequest(functions.get('renew-snapshots'), 'Update', {
    id: 'Renewed',
    properties: { Format: String(INDEX_FORMAT) },
  })
  let isOver = false
  const over = renewed.finally(() => {
    isOver = true
  })
  for (; !isOver; await sleep(100)) await sources.runJobs()
  await over
  const q = 'harbour'
  const statusOf = async (call: Promise<{ status: number }>) => (await call).status
  const link = await client['create-share']({ body: { folder_id: folder } })
  const secret = link.body.url!.slice(-43)
  const searches: [of: CompanyId, search: () => Promise<number>][] = [
    [company, () => statusOf(client['search-media']({ query: { q, return_values: 'unique_media_id' } }))],
    [company, () => statusOf(client['get-search-layout']({ query: { q } }))],
    [
      company,
      () => statusOf(client['change-media-in-bulk']({ body: { select: { search: { q }, expect: 0 }, change: { editorial: true } } })),
    ],
    [CATALOGUE, () => statusOf(client['search-stock']({ query: { q, return_values: 'unique_media_id' } }))],
    [company, () => statusOf(client['list-shared']({ params: { secret } }))],
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
