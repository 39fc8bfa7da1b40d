import * as z from 'zod'
import { type EndpointName, endpoints } from '../../functions/endpoints.ts'
import type { ClientInput } from '../../shared/http/client.ts'
import { type Endpoint, isBytesBody } from '../../shared/http/endpoint.ts'
import { MediaIdJson, MediaIdText } from '../../shared/http/fields.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'

/** Somebody with all rights in a company. */
export interface Party {
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
export interface Items {
  picture: number
  film: number
  announced: number
}

/** A call that names an item. */
export interface StockCall {
  input(id: number, party: Party): ClientInput<Endpoint>
  /** Statuses for a company that may use the stock library, and for any other. */
  answers: readonly [entitled: number, others: number]
  /** By default a picture, and an item without a file. */
  of?: readonly (keyof Items)[]
}

const [READ, REFUSED, NOTHING] = [[200, 404] as const, [403, 404] as const, [404, 404] as const]

const param = (id: number) => ({ params: { id } })
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
export const stockCalls: { readonly [Name in EndpointName]?: readonly StockCall[] } = {
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
  'add-keywords': forAll({ en: ['one', 'two'] }),
  'remove-keywords': forAll({ en: ['harbour'] }),
  'replace-keywords': refusedWith({ en: ['three'] }),
  'delete-keywords': refused(param),
  'get-version': reads(),
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
export const namesWithMediaId = (Object.keys(endpoints) as EndpointName[]).filter((name) => {
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
