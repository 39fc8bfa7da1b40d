import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import * as z from 'zod'
import { type EndpointName, endpoints } from '../../functions/endpoints.ts'
import type { ClientInput } from '../../shared/http/declaration/client.ts'
import { apiClient } from '../../shared/http/declaration/client.ts'
import type { Endpoint } from '../../shared/http/declaration/endpoint.ts'
import { isBytesBody } from '../../shared/http/declaration/endpoint.ts'
import { MediaIdJson, MediaIdText } from '../../shared/http/declaration/fields.ts'
import { everyItem } from '../../shared/library/pages.ts'
import { joinCompany } from '../../shared/library/people/join-company.ts'
import { openCatalogue } from '../../shared/library/stock/catalogue.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { CATALOGUE, type FolderId, toUserId } from '../../shared/vocabulary/ids.ts'
import { images, mp4 } from '../support/pictures/index.ts'
import { routeSettings } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { harbour, stockItems } from '../support/stock-items.ts'
import { hmacAuthorization } from '../support/successes.ts'
import { uploadAndImport } from '../support/uploading.ts'

/** Somebody with all rights in a company. */
interface Party {
  companyId: CompanyId
  userId: number
  folder: number
  /** A CDN folder. */
  cdn: number
  clique: number
  /** A picture of the company, in both folders. */
  own: number
}

/** Items of the stock catalogue: a picture, a film, and one without a file. */
interface Items {
  picture: number
  film: number
  announced: number
}

/** A call that names an item. */
interface StockCall {
  input(id: number, party: Party): ClientInput<Endpoint>
  /** Statuses for a company that may use the stock library, and for any other. */
  answers: readonly [entitled: number, others: number]
  /** By default a picture, and an item without a file. */
  of?: readonly (keyof Items)[]
}

const [READ, REFUSED, NOTHING] = [[200, 404] as const, [403, 404] as const, [404, 404] as const]

const param = (id: number) => ({ params: { id } })
const numbered = (id: number) => ({ params: { id, number: 1 } })
const reads = (input: StockCall['input'] = param): StockCall[] => [{ input, answers: READ }]
const readsFilm = (input: StockCall['input'] = param, answers: StockCall['answers'] = READ): StockCall[] => [
  { input, answers, of: ['film'] },
]
const refused = (...inputs: StockCall['input'][]): StockCall[] => inputs.map((input) => ({ input, answers: REFUSED }))
const refusedWith = (body: unknown): StockCall[] => refused((id) => ({ ...param(id), body }))
const refusedFilm = (input: StockCall['input']): StockCall[] => [{ input, answers: REFUSED, of: ['film'] }]
const forAll = (body: unknown): StockCall[] =>
  refused(
    (id) => ({ ...param(id), body }),
    (id, { own }) => ({ params: { id: `${own},${id}` }, body }),
    (id, { own }) => ({ params: { id: `${id},${own}` }, body }),
  )
const downloads = (more: Record<string, string>): StockCall[] => [
  { input: (id, { userId: user }) => ({ params: { id, ...more }, query: { user } }), answers: READ, of: ['picture'] },
  { input: (id, { userId: user }) => ({ params: { id, ...more }, query: { user } }), answers: NOTHING, of: ['announced'] },
]
const inFolder =
  (folder: 'folder' | 'cdn'): StockCall['input'] =>
  (id, party) => ({ params: { id, folderId: party[folder] } })
const searches = (answers: StockCall['answers']): StockCall[] => [
  { input: (id) => ({ query: { unique_media_id: [id], return_values: ['unique_media_id'] } }), answers },
]

/** What each endpoint that takes a media id says to the id of an item. */
const stockCalls: { readonly [Name in EndpointName]?: readonly StockCall[] } = {
  'create-clique': refused((id, { companyId }) => ({ body: { name: 'Clique', svc_id: companyId, thumbnail_id: id } })),
  'change-clique': refused((id, { clique }) => ({ params: { id: clique }, body: { thumbnail_id: id } })),
  // The file is refused by itself.
  'change-media-in-bulk': [{ input: (id) => ({ body: { select: { ids: [id] }, change: { editorial: true } } }), answers: [200, 200] }],
  'create-selection-zip': refused(
    (id) => ({ body: { media_ids: [id] } }),
    (id, { own }) => ({ body: { media_ids: [own, id] } }),
  ),
  'create-share': refused((id) => ({ body: { media_ids: [id] } })),
  'show-shared-media': [{ input: (id) => ({ params: { secret: 'unknown', id } }), answers: NOTHING }],
  'download-shared-media': [{ input: (id) => ({ params: { secret: 'unknown', id } }), answers: NOTHING }],
  'create-shared-zip': [{ input: (id) => ({ params: { secret: 'unknown' }, body: { media_ids: [id] } }), answers: NOTHING }],
  'get-media': reads(),
  'get-media-access': refused(param),
  'get-metadata': reads(),
  'replace-metadata': refusedWith({ title: { en: 'Title' } }),
  'set-title': refusedWith({ en: 'Title' }),
  'set-description': refusedWith({ en: 'Description' }),
  'set-byline': refusedWith('Byline'),
  'set-copyright': refusedWith('Copyright'),
  'get-expiration-date': reads(),
  'set-expiration-date': refusedWith({ expiration_date: '2030-01-31' }),
  'delete-expiration-date': refused(param),
  'set-focal-point': refusedWith({ x: 0.5, y: 0.25 }),
  'add-keywords': forAll({ en: ['one', 'two'] }),
  'remove-keywords': forAll({ en: ['harbour'] }),
  'replace-keywords': refusedWith({ en: ['three'] }),
  'delete-keywords': refused(param),
  'get-version': reads(),
  'get-history': reads(),
  'revert-change': refused((id) => ({ params: { id, version: 2 }, body: {} })),
  'get-tags': reads(),
  'list-media-folders': reads(),
  'replace-media-folders': refused(
    (id, { folder }) => ({ ...param(id), body: [{ group_id: folder }] }),
    (id) => ({ ...param(id), body: [] }),
  ),
  'copy-media': refused(inFolder('folder'), inFolder('cdn')),
  'move-media': refused((id, { folder, cdn }) => ({ ...param(id), body: { from: folder, to: cdn } })),
  'remove-media': refused(inFolder('folder'), inFolder('cdn')),
  'move-media-to-trash': refused(inFolder('folder')),
  'restore-media': [{ input: (id, { folder }) => ({ ...param(id), body: { from: folder } }), answers: NOTHING }],
  'list-files': reads(),
  'get-file-download-location': [{ input: numbered, answers: NOTHING }],
  'note-file': refused((id) => ({ ...numbered(id), body: { pinned: true } })),
  'restore-file': refused((id) => ({ ...numbered(id), body: {} })),
  'delete-file': refused(numbered),
  'register-upload': refused((id) => ({ body: { replaces: id } })),
  'begin-multipart-upload': refused((id) => ({ body: { replaces: id, filename: 'a.jpg', bytes: 1 } })),
  'search-media': searches([200, 200]),
  'get-search-layout': searches([200, 200]),
  'search-stock': searches([200, 403]),
  'get-download-location': downloads({}),
  'get-sized-download-location': downloads({ size: '320px' }),
  'get-preview': [{ input: param, answers: [302, 404] }],
  'create-stream': refusedFilm(param),
  'get-stream-url': readsFilm(param, NOTHING),
  'list-subtitles': readsFilm(),
  'put-subtitles': refusedFilm((id) => ({
    params: { id, language: 'da' },
    body: new TextEncoder().encode('WEBVTT\n\n00:01.000 --> 00:02.000\nHej\n'),
  })),
  'get-subtitles': readsFilm((id) => ({ params: { id, language: 'da' } }), NOTHING),
  'delete-subtitles': refusedFilm((id) => ({ params: { id, language: 'da' } })),
  'get-link': [{ input: (media, { companyId, cdn }) => ({ params: { company: companyId, folder: cdn, media } }), answers: NOTHING }],
  'replace-link': [
    ...refused((id, { companyId, cdn, own }) => ({ params: { company: companyId, folder: cdn, old: own, new: id } })),
    // No item was ever linked anywhere.
    { input: (id, { companyId, cdn, own }) => ({ params: { company: companyId, folder: cdn, old: id, new: own } }), answers: NOTHING },
  ],
}

/** Schemas that read a media id. Their clones (`.describe()`) have the same definition. */
const mediaIds = new Set<unknown>([MediaIdText, MediaIdJson].map(({ _zod }) => _zod.def))

/** Names of the endpoints that read a media id anywhere: in the path, the query or the body. */
const namesWithMediaId = (Object.keys(endpoints) as EndpointName[]).filter((name) => {
  const { params = {}, query, body }: Endpoint = endpoints[name]
  return [...Object.values(params), query, isBytesBody(body) ? undefined : body].some((schema) => readsMediaId(schema))
})

function readsMediaId(part: unknown): boolean {
  if (part instanceof z.core.$ZodType) return mediaIds.has(part._zod.def) || Object.values(part._zod.def).some(readsMediaId)
  if (Array.isArray(part)) return part.some(readsMediaId)
  return (
    part !== null && typeof part === 'object' && Object.getPrototypeOf(part) === Object.prototype && Object.values(part).some(readsMediaId)
  )
}

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
