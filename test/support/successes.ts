import { createHmac, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { EndpointName, endpoints } from '../../functions/endpoints.ts'
import { FoundStockItem } from '../../functions/stock/schema.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import type { ApiClient, ClientInput } from '../../shared/http/declaration/client.ts'
import type { Endpoint } from '../../shared/http/declaration/endpoint.ts'
import { pretendEncoded } from './encoded.ts'
import { sharedOpenIdServer } from './openid-server.ts'
import { images } from './pictures/index.ts'
import { cookieOf, signInBrowser } from './session.ts'
import { harbour, stockItems } from './stock-items.ts'
import { postForm, putParts, putPartsTo, replaceAndImport, uploadAndImport } from './uploading.ts'
import type { World } from './world.ts'

type Client = ApiClient<typeof endpoints>

/** An input with which each endpoint succeeds. An input for a removal first makes what is removed. `tsc` demands a line of every endpoint. */
export const successes: { [Name in EndpointName]: (world: World) => ClientInput<Endpoint> | Promise<ClientInput<Endpoint>> } = {
  'check-health': () => ({}),
  'sign-in': ({ service: { demo } }) => {
    const ts = Math.floor(Date.now() / 1000)
    const hmac = createHmac('sha1', demo.api_secret).update(`${demo.api_key}:${ts}`).digest('hex')
    return { body: { username: demo.username, password: demo.password, key: demo.api_key, ts, hmac } }
  },
  'validate-token': () => ({ params: { tokenString: 'nothing' } }),
  'request-password-reset': () => ({ body: { username: 'nobody@example.com' } }),
  'password-reset-page': () => ({}),
  'confirm-password-reset': async ({ accounts }) => {
    const { startPasswordReset } = await import('../../shared/library/accounts/password-resets.ts')
    const { findUser } = await import('../../shared/library/accounts/users.ts')
    const { userId } = await accounts.user()
    const user = await findUser(accounts, userId)
    const code = await startPasswordReset({ table: accounts.table, clock: systemClock }, user!, Date.now())
    return { body: { code: String(code), password: 'another long password' } }
  },
  'begin-session': ({ service: { demo } }) => ({
    body: { username: demo.username, password: demo.password },
    init: { headers: { 'sec-fetch-site': 'same-origin' } },
  }),
  'get-session': async ({ service }) => ({ init: { headers: (await signInBrowser(service, service.demo)).headers } }),
  'end-session': async ({ service }) => ({ init: { headers: (await signInBrowser(service, service.demo)).headers } }),
  // It ends tokens, so its caller is somebody of their own.
  'change-password': async ({ service, accounts }) => {
    const { username, password } = await accounts.user()
    const { headers } = await signInBrowser(service, { username, password })
    return { body: { current: password, new: 'another long password' }, init: { headers } }
  },
  'forget-password': () => ({ body: { username: 'nobody@example.com' } }),
  'list-sign-on-providers': () => ({}),
  'start-sign-on': async (world) => ({ params: { id: (await signOnProvider(world)).providerId } }),
  'finish-sign-on': async (world) => {
    const { providerId, server } = await signOnProvider(world)
    const start = await world.service.request(`/session/sso/${providerId}`)
    const answer = new URL(await server.agree(start.headers.get('location')!)).searchParams
    return { query: { code: answer.get('code')!, state: answer.get('state')! }, init: { headers: { cookie: cookieOf(start) } } }
  },
  'log-out-by-provider': async (world) => {
    const { providerId, server } = await signOnProvider(world)
    const form = new URLSearchParams({ logout_token: await server.logoutToken({ sub: 'anna' }) })
    return { params: { id: providerId }, body: Buffer.from(form.toString()) }
  },
  'list-folders': () => ({}),
  'create-folder': () => ({ body: { name: 'New', parent: null } }),
  'get-folder': ({ folder }) => ({ params: { id: folder } }),
  'get-folder-path': ({ folder }) => ({ params: { id: folder } }),
  'get-folder-access': ({ folder }) => ({ params: { id: folder } }),
  'set-folder-access': ({ folder, service }) => ({ params: { id: folder, userId: service.demo.user_id }, body: { flags: ['READ'] } }),
  'change-folder': ({ folder }) => ({ params: { id: folder }, body: { name: 'Renamed' } }),
  'delete-folder': async ({ client }) => ({ params: { id: (await client['create-folder']({ body: { name: 'To delete' } })).body.id } }),
  'create-clique': ({ service: { demo } }) => ({ body: { name: 'Clique', svc_id: demo.company_id } }),
  'list-cliques': () => ({}),
  'change-clique': async (world) => ({ params: { id: await clique(world) }, body: { name: 'Renamed' } }),
  'delete-clique': async (world) => ({ params: { id: await clique(world) } }),
  'list-clique-members': async (world) => ({ params: { id: await clique(world) } }),
  'add-clique-member': async (world) => ({ params: { id: await clique(world), userId: world.service.demo.user_id } }),
  'remove-clique-member': async (world) => {
    const params = { id: await clique(world), userId: world.service.demo.user_id }
    await world.client['add-clique-member']({ params })
    return { params }
  },
  'list-clique-folders': async (world) => ({ params: { id: await clique(world) } }),
  'share-folder-with-clique': async (world) => ({
    params: { id: await clique(world), folderId: world.folder },
    body: { access: 'READ', upload: 'true' },
  }),
  'unshare-folder': async (world) => {
    const params = { id: await clique(world), folderId: world.folder }
    await world.client['share-folder-with-clique']({ params, body: { access: 'READ' } })
    return { params }
  },
  'purge-folder': async ({ client }) => ({ params: { id: (await client['create-folder']({ body: { name: 'To purge' } })).body.id } }),
  'move-folder-to-trash': async ({ client }) => ({
    params: { id: (await client['create-folder']({ body: { name: 'To throw away' } })).body.id },
  }),
  'restore-folder': async ({ client }) => {
    const { id } = (await client['create-folder']({ body: { name: 'To restore' } })).body
    await client['move-folder-to-trash']({ params: { id } })
    return { params: { id }, body: {} }
  },
  'get-folder-tags': ({ folder }) => ({ params: { id: folder } }),
  'add-folder-tags': ({ folder }) => ({ params: { id: folder }, body: ['one', 'two'] }),
  'remove-folder-tags': ({ folder }) => ({ params: { id: folder }, body: ['one'] }),
  'purge-folder-tags': ({ folder }) => ({ params: { id: folder } }),
  'register-upload': ({ folder }) => ({ body: { folder } }),
  'begin-multipart-upload': ({ folder }) => ({
    body: { folder, filename: 'film.mov', bytes: 20_000_000, md5: '9e107d9d372bb6826bd81d3542a419d6' },
  }),
  'get-part-urls': async (world) => ({ params: await begunUpload(world), body: { parts: [1] } }),
  'get-multipart-upload': async (world) => ({ params: await begunUpload(world) }),
  'complete-multipart-upload': async (world) => {
    const params = await begunUpload(world)
    await putParts(world.client, params.uploadId, 8 * 1024 ** 2, new Uint8Array(10))
    return { params, body: {} }
  },
  'abort-multipart-upload': async (world) => ({ params: await begunUpload(world) }),
  'finalize-upload': async ({ client, folder }) => ({ params: { uploadId: await postedUpload(client, folder) } }),
  'find-existing-media': () => ({ body: { md5: ['9e107d9d372bb6826bd81d3542a419d6'] } }),
  'get-media': ({ media }) => ({ params: { id: media } }),
  'get-media-access': ({ media }) => ({ params: { id: media } }),
  'get-metadata': ({ media }) => ({ params: { id: media } }),
  'replace-metadata': ({ media }) => ({ params: { id: media }, body: { title: { en: 'Title' } } }),
  'set-title': ({ media }) => ({ params: { id: media }, body: { en: 'Title' } }),
  'set-description': ({ media }) => ({ params: { id: media }, body: { en: 'Description' } }),
  'set-byline': ({ media }) => ({ params: { id: media }, body: 'Byline' }),
  'set-focal-point': ({ media }) => ({ params: { id: media }, body: { x: 0.5, y: 0.25 } }),
  'set-copyright': ({ media }) => ({ params: { id: media }, body: 'Copyright' }),
  'get-expiration-date': ({ media }) => ({ params: { id: media } }),
  'set-expiration-date': ({ media }) => ({ params: { id: media }, body: { expiration_date: '2030-01-31' } }),
  'delete-expiration-date': ({ media }) => ({ params: { id: media } }),
  'add-keywords': ({ media }) => ({ params: { id: media }, body: { en: ['one', 'two'] } }),
  'remove-keywords': ({ media }) => ({ params: { id: media }, body: { en: ['one'] } }),
  'replace-keywords': ({ media }) => ({ params: { id: media }, body: { en: ['three'] } }),
  'delete-keywords': ({ media }) => ({ params: { id: media } }),
  'get-version': ({ media }) => ({ params: { id: media } }),
  'get-history': ({ media }) => ({ params: { id: media } }),
  'revert-change': async ({ client, media }) => ({
    params: {
      id: media,
      version: (await client['set-focal-point']({ params: { id: media }, body: { x: Math.random(), y: 0.5 } })).body.version,
    },
    body: {},
  }),
  'get-tags': ({ media }) => ({ params: { id: media } }),
  'list-media-folders': ({ media }) => ({ params: { id: media } }),
  'replace-media-folders': ({ media, folder }) => ({ params: { id: media }, body: [{ group_id: folder, status: 'RELEASED' }] }),
  'copy-media': ({ media, other }) => ({ params: { id: media, folderId: other } }),
  'move-media': async ({ client, media, folder, other }) => {
    await client['copy-media']({ params: { id: media, folderId: other } })
    return { params: { id: media }, body: { from: other, to: folder } }
  },
  'remove-media': async ({ client, media, other }) => {
    await client['copy-media']({ params: { id: media, folderId: other } })
    return { params: { id: media, folderId: other } }
  },
  'move-media-to-trash': async ({ client, media, other }) => {
    await client['copy-media']({ params: { id: media, folderId: other } })
    return { params: { id: media, folderId: other } }
  },
  'restore-media': async ({ client, media, other }) => {
    await client['copy-media']({ params: { id: media, folderId: other } })
    await client['move-media-to-trash']({ params: { id: media, folderId: other } })
    const { body: folders } = await client['list-folders']({})
    const { id: from } = folders.find(({ permissions }) => permissions.groups.includes('TRASH'))!
    return { params: { id: media }, body: { from } }
  },
  'list-files': ({ media }) => ({ params: { id: media } }),
  'get-file-download-location': async (world) => ({ params: await formerNumber(world) }),
  'note-file': async (world) => ({ params: await formerNumber(world), body: { comment: 'The first one' } }),
  'restore-file': async (world) => ({ params: await formerNumber(world), body: {} }),
  'delete-file': async (world) => ({ params: await formerNumber(world) }),
  'search-media': ({ folder }) => ({
    query: {
      folder_ids: [folder],
      return_values: ['title', 'keywords', 'thumbnail_url', 'poster_url', 'geo_location', 'folder_id', 'cdn_urls', 'camera_created'],
    },
  }),
  'get-search-layout': () => ({ query: { all: 1 } }),
  'suggest-search': () => ({ query: { q: 'har' } }),
  'search-stock': async ({ service, accounts }) => {
    const items = stockItems(accounts)
    await items.allow(service.demo.company_id)
    await items.item(harbour)
    return { query: { q: 'havn', lang: 'da', return_values: Object.keys(FoundStockItem.shape) } }
  },
  'get-download-location': ({ media }) => ({ params: { id: media }, query: { download_info: '{"purpose":"test"}' } }),
  'get-sized-download-location': ({ media }) => ({ params: { id: media, size: '320px' } }),
  'get-preview': ({ media }) => ({ params: { id: media } }),
  'create-share': ({ folder }) => ({ body: { folder_id: folder, allow: { download: 'original' } } }),
  'list-shares': () => ({}),
  'get-share': async (world) => ({ params: { shareId: (await share(world)).id } }),
  'change-share': async (world) => ({ params: { shareId: (await share(world)).id }, body: { title: 'Changed' } }),
  'delete-share': async (world) => ({ params: { shareId: (await share(world)).id } }),
  'renew-share-secret': async (world) => ({ params: { shareId: (await share(world)).id } }),
  'unlock-shared': async (world) => ({ params: { secret: (await share(world)).secret }, body: { password: 'anything' } }),
  'list-shared': async (world) => ({ params: { secret: (await share(world)).secret } }),
  'show-share': async (world) => ({ params: { secret: (await share(world)).secret } }),
  'download-shared-media': async (world) => ({ params: { secret: (await share(world)).secret, id: world.media } }),
  'create-shared-zip': async (world) => ({ params: { secret: (await share(world)).secret } }),
  'get-shared-zip': async (world) => {
    const { secret } = await share(world)
    const { body } = await world.client['create-shared-zip']({ params: { secret } })
    return { params: { secret, job_id: body.job_id } }
  },
  'register-shared-upload': async (world) => ({ params: { secret: (await share(world)).secret } }),
  'finalize-shared-upload': async (world) => {
    const { secret } = await share(world)
    const { body } = await world.client['register-shared-upload']({ params: { secret } })
    return { params: { secret, uploadId: await postedWith(body) } }
  },
  'begin-shared-multipart-upload': async (world) => ({
    params: { secret: (await share(world)).secret },
    body: { filename: 'film.mov', bytes: 20_000_000 },
  }),
  'get-shared-part-urls': async (world) => ({ params: await begunByLink(world), body: { parts: [1] } }),
  'get-shared-multipart-upload': async (world) => ({ params: await begunByLink(world) }),
  'complete-shared-multipart-upload': async (world) => {
    const params = await begunByLink(world)
    const { body } = await world.client['get-shared-part-urls']({ params, body: { parts: [1] } })
    await putPartsTo(body.urls, 8 * 1024 ** 2, new Uint8Array(10))
    return { params, body: {} }
  },
  'abort-shared-multipart-upload': async (world) => ({ params: await begunByLink(world) }),
  'show-shared-media': async (world) => ({ params: { secret: (await share(world)).secret, id: world.media } }),
  // The oldest one: the newest changes with what other tests do.
  'list-events': () => ({ query: { limit: 1 } }),
  'list-presets': () => ({}),
  'create-preset': async (world) => {
    await removePresets(world)
    return { body: PRESET }
  },
  'change-preset': async (world) => ({ params: { id: await preset(world) }, body: { query: 'width=32' } }),
  'delete-preset': async (world) => ({ params: { id: await preset(world) } }),

  'list-webhooks': () => ({}),
  'create-webhook': async (world) => {
    await removeWebhooks(world)
    return { body: { url: WEBHOOK } }
  },
  'get-webhook': async (world) => ({ params: { webhookId: await webhook(world) } }),
  'change-webhook': async (world) => ({
    params: { webhookId: await webhook(world) },
    body: { types: ['media.created'], description: 'Website' },
  }),
  'delete-webhook': async (world) => ({ params: { webhookId: await webhook(world) } }),
  'rotate-webhook-secret': async (world) => ({ params: { webhookId: await webhook(world) }, body: {} }),
  'test-webhook': async (world) => ({ params: { webhookId: await webhook(world) } }),
  'list-deliveries': async (world) => ({ params: { webhookId: await webhook(world) } }),
  'replay-events': async (world) => ({
    params: { webhookId: await webhook(world) },
    body: { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' },
  }),
  'change-media-in-bulk': ({ media }) => ({
    body: { select: { search: { unique_media_id: media }, expect: 1 }, change: { byline: 'Anna Berg' } },
  }),
  'get-bulk': async (world) => ({ params: { job_id: await bulk(world) } }),
  'undo-bulk': async (world) => ({ params: { job_id: await bulk(world) } }),
  'create-selection-zip': ({ media, video }) => ({ body: { media_ids: [media, video], name: 'Selection' } }),
  'create-zip': ({ folder }) => ({ params: { id: folder } }),
  'get-zip': async ({ client, folder }) => ({
    params: { job_id: (await client['create-zip']({ params: { id: folder } })).body.job_id },
  }),
  'create-stream': ({ video }) => ({ params: { id: video } }),
  'get-stream-url': async ({ accounts, streamed }) => {
    await pretendEncoded(accounts.library, streamed)
    return { params: { id: streamed } }
  },
  'list-subtitles': ({ video }) => ({ params: { id: video } }),
  'put-subtitles': ({ video }) => ({ params: { id: video, language: 'da' }, body: subtitles }),
  'get-subtitles': withSubtitles,
  'delete-subtitles': withSubtitles,
  'list-cdn-aliases': ({ service: { demo } }) => ({ params: { company: demo.company_id } }),
  'get-link': async (world) => ({
    params: { company: world.service.demo.company_id, folder: await linkedIn(world), media: world.media },
  }),
  'replace-link': async (world) => {
    const { client, media, other, service } = world
    const { body } = await client['finalize-upload']({ params: { uploadId: await postedUpload(client, other) } })
    return { params: { company: service.demo.company_id, folder: await linkedIn(world), old: media, new: body.media_id } }
  },
  'list-company-users': ({ service: { demo } }) => ({ params: { id: demo.company_id } }),
  'create-company-user': ({ service: { demo } }) => ({
    params: { id: demo.company_id },
    body: { username: `person-${randomUUID()}`, fullname: 'Anna Berg' },
  }),
  'remove-company-user': async ({ accounts, service: { demo } }) => ({
    params: { id: demo.company_id, user_id: (await accounts.user()).userId },
  }),
  'list-api-keys': ({ service: { demo } }) => ({ params: { id: demo.company_id } }),
  'get-api-endpoint': ({ service: { demo } }) => ({ params: { id: demo.company_id } }),
  'list-company-folders': ({ service: { demo } }) => ({ params: { id: demo.company_id } }),
  'get-company-disk-usage': ({ service: { demo } }) => ({ params: { id: demo.company_id } }),
  'get-brand': async (world) => {
    await world.client['upload-logo'](logo(world))
    const { url } = (await world.client['create-share']({ body: { folder_id: world.folder } })).body
    return { query: { share: url!.split('/').at(-1)! } }
  },
  'get-company-brand': async (world) => {
    await world.client['upload-logo'](logo(world))
    return { params: { id: world.service.demo.company_id } }
  },
  'change-brand': ({ service: { demo } }) => ({ params: { id: demo.company_id }, body: { name: 'Harbour Press', accent: '#0b5cad' } }),
  'upload-logo': (world) => logo(world),
  'list-failed-jobs': ({ service: { demo } }) => ({ params: { id: demo.company_id } }),
  'retry-failed-jobs': ({ service: { demo } }) => ({ params: { id: demo.company_id }, body: { job_ids: ['encode-video.902114'] } }),
  whoami: () => ({}),
  'get-user': ({ service: { demo } }) => ({ params: { id: demo.user_id } }),
  'change-user': async ({ accounts }) => ({ params: { id: (await accounts.user()).userId }, body: { fullname: 'Anna Holm' } }),
  'invite-user': async ({ accounts }) => ({ params: { id: (await accounts.user()).userId } }),
  'list-user-folders': ({ service: { demo } }) => ({ params: { id: demo.user_id } }),
  'list-user-cliques': ({ service: { demo } }) => ({ params: { id: demo.user_id } }),
  'get-user-disk-usage': ({ service: { demo } }) => ({ params: { id: demo.user_id } }),
  'get-profile-image': ({ service }) => ({ params: { id: service.demo.user_id } }),
  'get-sized-profile-image': ({ service }) => ({ params: { id: service.demo.user_id, size: 'original' } }),
  'upload-profile-image': async ({ service }) => ({
    params: { id: service.demo.user_id },
    body: new Uint8Array(await images['plain.jpg']()),
  }),
}

const logo = ({ service: { demo } }: World) => ({
  params: { id: demo.company_id },
  body: new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>'),
})

const subtitles = new TextEncoder().encode('WEBVTT\n\n00:01.000 --> 00:02.000\nHej\n')

/** Parameters of subtitles that are there. */
async function withSubtitles({ service, video }: World) {
  const params = { id: video, language: 'da' }
  // Applications may only read them.
  const client = await service.client()
  await client['put-subtitles']({ params, body: subtitles })
  return { params }
}

const clique = async ({ client, service: { demo } }: World) =>
  (await client['create-clique']({ body: { name: 'Clique', svc_id: demo.company_id } })).body.id

/** A text that is posted to be uploaded. @returns id of the upload, which is not finalized */
async function postedUpload(client: Client, folder: number): Promise<string> {
  return postedWith((await client['register-upload']({ body: { folder } })).body)
}

async function postedWith(form: Parameters<typeof postForm>[0]): Promise<string> {
  const posted = await postForm(form, Buffer.from('some text'), 'text.txt')
  return new URL(posted.headers.get('location')!).pathname.split('/').at(-1)!
}

/** A CDN folder in which the file has a link. */
async function linkedIn({ accounts, client, media }: World): Promise<number> {
  const { folderId } = await accounts.cdnFolder()
  await client['copy-media']({ params: { id: media, folderId } })
  return folderId
}

/** The value of the `Authorization` header of an application. */
export function hmacAuthorization({ key, secret }: { key: string; secret: string }, ts = Math.floor(Date.now() / 1000)): string {
  return `SVC-HMAC Key=${key} HMAC=${createHmac('sha1', secret).update(`${key}:${ts}`).digest('hex')} TS=${ts}`
}

/** A share link to the folder. */
async function share({ client, folder }: World): Promise<{ id: string; secret: string }> {
  const { body } = await client['create-share']({ body: { folder_id: folder, allow: { download: 'original', upload: true } } })
  return { id: body.id, secret: body.url!.split('/').at(-1)! }
}

const PRESET = { name: 'card', query: 'width=64' }

async function removePresets({ client }: World): Promise<void> {
  for (const { id } of (await client['list-presets']({})).body.presets) await client['delete-preset']({ params: { id } })
}

async function preset(world: World): Promise<number> {
  await removePresets(world)
  return (await world.client['create-preset']({ body: PRESET })).body.id
}

/** Nobody has this address. */
const WEBHOOK = 'https://hooks.example.invalid/'

/** A company has few of them. */
async function removeWebhooks({ client }: World): Promise<void> {
  for (const { id: webhookId } of (await client['list-webhooks']({})).body.webhooks)
    await client['delete-webhook']({ params: { webhookId } })
}

async function webhook(world: World): Promise<string> {
  await removeWebhooks(world)
  return (await world.client['create-webhook']({ body: { url: WEBHOOK } })).body.id
}

/** A bulk change of nothing, which has ended at once. */
async function bulk({ client }: World): Promise<string> {
  const select = { search: { media_type: 'image' }, expect: 0 }
  return (await client['change-media-in-bulk']({ body: { select, change: { editorial: true } } })).body.job_id
}

async function begunUpload({ client, folder }: World): Promise<{ uploadId: string }> {
  const { body } = await client['begin-multipart-upload']({ body: { folder, filename: 'notes.txt', bytes: 10 } })
  return { uploadId: body.upload_id }
}

async function begunByLink(world: World): Promise<{ secret: string; uploadId: string }> {
  const { secret } = await share(world)
  const body = { filename: 'notes.txt', bytes: 10 }
  return { secret, uploadId: (await world.client['begin-shared-multipart-upload']({ params: { secret }, body })).body.upload_id }
}

/** A provider on this machine, where somebody signs on who is made a user. */
async function signOnProvider({ accounts, service: { demo } }: World) {
  const { createProvider } = await import('../../shared/library/accounts/providers.ts')
  const server = await sharedOpenIdServer()
  const { issuer, clientId, clientSecret } = server
  server.person = { sub: randomUUID(), email: `${randomUUID()}@acme.example`, email_verified: true }
  const choices = { domains: [], usernameClaim: 'email', groups: [], createUsers: true, joinByEmail: false }
  const input = { companyId: demo.company_id, name: 'Acme', issuer, clientId, clientSecret, ...choices }
  const { providerId } = await createProvider(accounts.library, input)
  return { providerId, server }
}

/** Pictures that are replaced, by the accounts of their company: the functions that tell of one sign the address of its preview. */
const numberedFiles = new WeakMap<World['accounts'], Promise<number>>()

/** A number of a file that isn't the current one. */
async function formerNumber({ accounts, client, folder }: World): Promise<{ id: number; number: number }> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const send = () =>
    sharp({ create: { width: 64, height: 64, channels: 3, background: 'white', noise } })
      .png()
      .toBuffer()
  const name = 'numbered.png'
  const uploaded = numberedFiles.get(accounts) ?? send().then(async (first) => (await uploadAndImport(client, folder, first, name)).id)
  numberedFiles.set(accounts, uploaded)
  const id = await uploaded
  return { id, number: await replaceAndImport(client, id, await send(), name) }
}
