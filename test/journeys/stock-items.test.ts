import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../functions/endpoints.ts'
import { apiClient } from '../../shared/http/client.ts'
import type { Endpoint } from '../../shared/http/endpoint.ts'
import { joinCompany } from '../../shared/library/accounts/provision.ts'
import { everyItem } from '../../shared/library/pages.ts'
import { openCatalogue } from '../../shared/library/stock/catalogue.ts'
import { CATALOGUE, type FolderId, toUserId } from '../../shared/vocabulary/ids.ts'
import { images, mp4 } from '../support/pictures/index.ts'
import { routeSettings } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { type Items, namesWithMediaId, type Party, type StockCall, stockCalls } from '../support/stock-calls.ts'
import { harbour, stockItems } from '../support/stock-items.ts'
import { hmacAuthorization } from '../support/successes.ts'
import { uploadAndImport } from '../support/uploading.ts'

interface Caller extends Party {
  authorization: string
  key: { key: string; secret: string }
}

/**
 * Items of the stock catalogue, at every endpoint that takes a media id: companies with the right read and download them, nobody changes
 * anything, and for all others there are none. A new endpoint that takes a media id needs a line in `stockCalls`.
 */
describe('items of the stock library', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const stock = stockItems(accounts)
  let [entitled, other]: [Caller, Caller] = [{}, {}] as never
  let items: Items
  let catalogueFolder: FolderId

  /** An admin of a new company, who is a member of another one besides. */
  async function caller(): Promise<Caller> {
    const [companyId, second] = [await accounts.company('Company'), await accounts.company('Another')]
    const { client, userId, authorization } = await person({ companyId, admin: true })
    await joinCompany(accounts.library, toUserId(userId), second)
    const folder = (await client['create-folder']({ body: { name: 'Folder', company_id: companyId } })).body.id
    const clique = (await client['create-clique']({ body: { name: 'Clique', svc_id: companyId } })).body.id
    const cdn = (await accounts.cdnFolder(companyId)).folderId
    const own = Number((await uploadAndImport(client, folder, await images['plain.jpg'](), 'own.jpg')).id)
    await client['copy-media']({ params: { id: own, folderId: cdn } })
    return { companyId, userId, authorization, folder, clique, cdn, own, key: await accounts.key(['downloads'], companyId) }
  }

  beforeAll(async () => {
    ;[entitled, other] = [await caller(), await caller()]
    await stock.allow(entitled.companyId)
    items = {
      picture: await stock.harbour(),
      film: await stock.item({ ...harbour, file: { bytes: mp4(['vide']), filename: 'film.mp4' } }),
      announced: await stock.item(harbour),
    }
    catalogueFolder = (await openCatalogue(accounts.library)).folderId
  })

  const call = (name: keyof typeof endpoints, authorization: string, input: Parameters<ReturnType<typeof apiClient>[string]>[0]) => {
    const endpoint: Endpoint = endpoints[name]
    return apiClient({ [name]: endpoint }, { baseUrl: service.baseUrl, ...routeSettings, authorization })[name]!(input)
  }

  /**
   * All that there is of the items and of the companies' own pictures, but for how far the preview of the film is, and for how much is in the
   * catalogue: other tests put items into that of a stack at the same time.
   */
  async function stored(): Promise<object[]> {
    const ids = [...Object.values(items), entitled.own, other.own]
    const partitions = [...ids.map((id) => `MEDIA#${id}`), `COMPANY#${CATALOGUE}`, `CLIQUE#${entitled.clique}`, `CLIQUE#${other.clique}`]
    const found = await Promise.all(partitions.map((pk) => Array.fromAsync(everyItem(accounts.table, { pk, consistent: true }))))
    const lasting = found.flat().filter(({ pk, sk }) => pk !== `COMPANY#${CATALOGUE}` || !sk.startsWith('USAGE#'))
    return lasting.map((item) => (item.sk === 'VIDEO' ? { ...item, ...stillBeingMade } : item))
  }

  test('have a line for every endpoint that takes a media id', () => {
    assert.ok(namesWithMediaId.length > 30)
    assert.deepEqual(Object.keys(stockCalls).sort(), namesWithMediaId.toSorted())
  })

  describe.each(namesWithMediaId)('%s', (name) => {
    const each = (stockCalls[name] ?? []).flatMap((line, index) => (line.of ?? everyday).map((of) => [of, index, line] as const))

    test.each(each)('of the item %s (%i)', async (of, _, { input, answers: [withRight, without] }: StockCall) => {
      const before = await stored()
      const forApplications = endpoints[name].access === 'user or application'
      for (const [party, expected] of [[entitled, withRight] as const, [other, without] as const]) {
        const asApplication = () => hmacAuthorization(party.key)
        for (const authorization of [party.authorization, ...(forApplications ? [asApplication()] : [])]) {
          const { status, body } = await call(name, authorization, input(items[of], party))
          assert.equal(status, expected, `${authorization.split(' ')[0]} ${JSON.stringify(body)}`)
          if (status === 403 || status === 404) assert.match((body as { message: string }).message, /\.$/)
        }
      }
      assert.deepEqual(await stored(), before)
    })
  })

  test('lie in a folder that nobody ever sees', async () => {
    const before = await stored()
    for (const { authorization, own, folder, clique } of [entitled, other]) {
      const params = { id: catalogueFolder }
      const answers = await Promise.all([
        call('get-folder', authorization, { params }),
        call('change-folder', authorization, { params, body: { name: 'Mine' } }),
        call('delete-folder', authorization, { params }),
        call('purge-folder', authorization, { params }),
        call('create-folder', authorization, { body: { name: 'Mine', parent: catalogueFolder } }),
        call('add-folder-tags', authorization, { params, body: ['mine'] }),
        call('create-zip', authorization, { params }),
        call('register-upload', authorization, { body: { folder: catalogueFolder } }),
        call('copy-media', authorization, { params: { id: own, folderId: catalogueFolder } }),
        call('move-media', authorization, { params: { id: own }, body: { from: folder, to: catalogueFolder } }),
        call('move-media', authorization, { params: { id: items.picture }, body: { from: catalogueFolder, to: folder } }),
        call('remove-media', authorization, { params: { id: items.picture, folderId: catalogueFolder } }),
        call('replace-media-folders', authorization, { params: { id: own }, body: [{ group_id: catalogueFolder }] }),
        call('share-folder-with-clique', authorization, { params: { id: clique, folderId: catalogueFolder }, body: { access: 'READ' } }),
      ])
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]))
    }
    assert.deepEqual(await stored(), before)
  })
})

const everyday = ['picture', 'announced'] as const
const stillBeingMade = { preview: '', revision: 0, by: '', dueKey: '', dueAt: '' }
