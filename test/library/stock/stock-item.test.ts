import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { StockMissing, StockUnavailable } from '../../../shared/backends/stock/port.ts'
import { setStock } from '../../../shared/library/accounts/companies.ts'
import { Conflict, NotFound, NotReady } from '../../../shared/library/errors.ts'
import { catalogueItems } from '../../../shared/library/stock/catalogue-item.ts'
import { ownMedia, stockItemWith } from '../../../shared/library/stock/stock-item.ts'
import { fromStock } from '../../../shared/library/stock-answer.ts'
import { CATALOGUE, FIRST_PROVIDED_ID, NOBODY, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const [ITEM, OWN, ARRIVING] = [toMediaId(1), toMediaId(2), toMediaId(3)]
const rendition = { key: '0/1/renditions/320x240', mime: 'image/jpeg', width: 320, height: 240, bytes: 1 }

/** A company with the right, an item of the catalogue, a file of the company, and an item that is still being imported. */
async function setUp() {
  const library = openTestTable()
  const { companyId, user } = await openTestCompany(library)
  await setStock(library, companyId, true)
  const catalogued = { companyId: CATALOGUE, uploadedBy: NOBODY, stock: 'item-1' }
  await putMedia(library.table, { ...catalogued, mediaId: ITEM, renditions: { '320px': rendition } })
  await putMedia(library.table, { companyId, mediaId: OWN, filename: 'own.jpg' })
  await putMedia(library.table, { ...catalogued, mediaId: ARRIVING, state: 'importing' })
  return { library, companyId, request: { ...requestOf(library, user), stock: catalogueItems(library) } }
}

describe('an item of the stock library', () => {
  test('is what the caller’s company may use; own files and those that are still being imported are none', async () => {
    const { request } = await setUp()
    assert.equal((await stockItemWith(request, ITEM)).mediaId, ITEM)
    for (const id of [OWN, ARRIVING, toMediaId(4), toMediaId(FIRST_PROVIDED_ID + 1)])
      await assert.rejects(stockItemWith(request, id), NotFound, String(id))
  })

  test('that has a record is a file of ours, but no own file', async () => {
    const { library } = await setUp()
    assert.equal((await ownMedia(library, OWN))?.filename, 'own.jpg')
    for (const id of [ITEM, ARRIVING, toMediaId(4)]) assert.equal(await ownMedia(library, id), undefined)
  })
})

describe('what the stock library answers', () => {
  test('comes as it is, and so do errors that are the domain’s own', async () => {
    assert.equal(await fromStock(Promise.resolve('answer')), 'answer')
    await assert.rejects(fromStock(Promise.reject(new Conflict('wait', 'download_pending'))), { code: 'download_pending' })
  })

  test('is 503 with a time to come again while it does not answer, and 404 for what it does not have', async () => {
    const refused = await fromStock(Promise.reject(new StockUnavailable('secret.internal refused'))).catch((error: unknown) => error)
    assert.ok(refused instanceof NotReady)
    assert.deepEqual([refused.code, refused.retryAfter], ['stock_unavailable', 10])
    assert.doesNotMatch(refused.message, /internal/)
    await assert.rejects(fromStock(Promise.reject(new StockMissing('no such item'))), NotFound)
  })
})
