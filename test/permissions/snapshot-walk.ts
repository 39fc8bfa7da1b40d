import assert from 'node:assert/strict'
import { INDEX_FORMAT } from '../../shared/backends/search/index-file.ts'
import { setStock } from '../../shared/library/accounts/companies.ts'
import { type StoredSnapshot, snapshotsKey } from '../../shared/library/index-snapshots/record.ts'
import { CATALOGUE, toCompanyId, toMediaId } from '../../shared/vocabulary/ids.ts'
import { putMedia } from '../support/media.ts'
import type { World } from '../support/successes.ts'
import type { Sources } from './event-sources.ts'

/** The first search of a process, of own media and of the catalogue: with a snapshot that is lost, and with the one that is made instead. */
export async function snapshots({ client, accounts, service }: World, sources: Sources): Promise<void> {
  const company = toCompanyId(service.demo.company_id)
  await setStock(accounts.library, company, true)
  const lost: StoredSnapshot = { name: 'lost', format: INDEX_FORMAT, asOf: 1, made: 1, isComplete: true, bytes: 1, stored: 1 }
  for (const companyId of [company, CATALOGUE]) {
    await accounts.table.put({ ...snapshotsKey(companyId), companyId, snapshots: [lost] })
  }
  const own = () => client['search-media']({ query: { q: 'harbour', return_values: 'unique_media_id' } })
  const stock = () => client['search-stock']({ query: { q: 'harbour', return_values: 'unique_media_id' } })
  for (const search of [own, stock]) {
    const building = await search()
    assert.equal(building.status, 503, JSON.stringify(building.body))
    assert.ok(await sources.deliverMessage('snapshot-index', 'snapshots'))
    assert.equal((await search()).status, 200)
  }

  // An import asks for a snapshot, which begins with the one before.
  const sampled = toMediaId(2_000)
  const media = await putMedia(accounts.table, { mediaId: sampled, companyId: company, state: 'importing' })
  await sources.deliverChanges()
  await accounts.table.update(media, { set: { state: 'available' } })
  await sources.deliverChanges()
  assert.ok(await sources.deliverMessage('snapshot-index', 'snapshots'))
  await accounts.table.delete(media)
  await setStock(accounts.library, company, false)
}
