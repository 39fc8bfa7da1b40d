import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type StockDownload, StockMissing, StockUnavailable } from '../../../shared/backends/stock/port.ts'
import type { Table } from '../../../shared/backends/table/port.ts'
import type { Caller } from '../../../shared/library/access/caller.ts'
import { setStock } from '../../../shared/library/accounts/companies.ts'
import { findUser } from '../../../shared/library/accounts/users.ts'
import { type Asked, download } from '../../../shared/library/downloads/download.ts'
import { listDownloads } from '../../../shared/library/downloads/log.ts'
import { Conflict, NotFound, NotReady } from '../../../shared/library/errors.ts'
import { joinCompany } from '../../../shared/library/people/join-company.ts'
import { type CompanyId, FIRST_PROVIDED_ID, toMediaId } from '../../../shared/vocabulary/ids.ts'
import type { RenditionSize } from '../../../shared/vocabulary/rendition-size.ts'
import { instead } from '../../support/instead.ts'
import { callerOf, openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

const ITEM = toMediaId(FIRST_PROVIDED_ID + 5)
const OFFER = { url: 'https://stock.example/5', metadataWritten: true }

/** Two companies, of which the second may use the stock library of a provider, and a user of both. */
async function setUp() {
  const library = openTestTable()
  const [first, second] = [await openTestCompany(library), await openTestCompany(library)]
  await setStock(library, second.companyId, true)
  const { userId } = first.admin.user
  await joinCompany(library, userId, second.companyId)
  const both = callerOf((await findUser(library, userId))!)
  const sold: [number, StockDownload][] = []
  const provider = {
    sold,
    async download(mediaId: number, wanted: StockDownload) {
      sold.push([mediaId, wanted])
      return OFFER
    },
  }
  return {
    ...{ library, second, both, provider },
    ask: (
      caller: Caller,
      { table = library.table, ...asked }: Partial<Asked<RenditionSize | null>> & { table?: Table } = {},
      mediaId = ITEM,
    ) => download({ ...requestOf({ ...library, table }, caller), stock: provider }, mediaId, { size: null, ...asked }, async () => OFFER),
    log: (companyId: CompanyId) => listDownloads(library, companyId, { since: 0, limit: 10 }),
  }
}

describe('a download of an item', () => {
  test('is in the log before the provider is asked: whatever ends in between, no sale is missing there', async () => {
    const { ask, both, second, provider, log } = await setUp()
    let logged = 0
    provider.download = async () => {
      logged = (await log(second.companyId)).length
      return OFFER
    }
    await ask(both)
    assert.equal(logged, 1)
  })

  test('is not made where it can not be logged', async () => {
    const { library, ask, both, provider } = await setUp()
    const table = instead(library.table, { put: () => Promise.reject(new Error('put failed')) })
    await assert.rejects(ask(both, { table }), /put failed/)
    assert.deepEqual(provider.sold, [])
  })

  test.each([
    ['does not answer', new StockUnavailable(), { name: NotReady.name, code: 'stock_unavailable', retryAfter: 10 }],
    ['has no such item', new StockMissing(), { name: NotFound.name, code: 'media_not_found' }],
    ['is still making it', new Conflict('Wait.', 'preview_pending'), { name: Conflict.name, code: 'preview_pending' }],
  ])('is not in the log where the stock library %s', async (_, error, expected) => {
    const { library, ask, both, second, provider, log } = await setUp()
    provider.download = async () => {
      throw error
    }
    await assert.rejects(ask(both), expected)
    assert.deepEqual(await log(second.companyId), [])
    const table = instead(library.table, { delete: () => Promise.reject(new Error('delete failed')) })
    await assert.rejects(ask(both, { table }), expected, 'also where the entry stays')
    assert.equal((await log(second.companyId)).length, 1)
  })

  test('stays in the log where nobody knows whether the provider sold it', async () => {
    const { ask, both, second, provider, log } = await setUp()
    provider.download = async () => {
      throw new StockUnavailable('no answer', { mayBeMade: true })
    }
    await assert.rejects(ask(both), { name: NotReady.name, code: 'stock_unavailable' })
    assert.equal((await log(second.companyId)).length, 1)
  })
})
