import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type EndpointName, endpoints } from '../functions/endpoints.ts'
import type { ApiClient, ClientInput } from '../shared/http/client.ts'
import { apiClient } from '../shared/http/client.ts'
import type { Endpoint } from '../shared/http/endpoint.ts'
import type { OpenApiDocument } from '../shared/http/openapi.ts'
import { provisioning } from './support/accounts.ts'
import { conformity } from './support/conformity.ts'
import { images } from './support/pictures/index.ts'
import { type Service, startService } from './support/service.ts'
import { postForm, uploadAndImport } from './support/uploading.ts'

/** What all endpoints have in common. A new endpoint needs one line in `successes`, or nothing compiles. */

type Client = ApiClient<typeof endpoints>

interface World {
  service: Service
  client: Client
  accounts: Awaited<ReturnType<typeof provisioning>>
  /** A folder with an imported image in it, and one without. */
  folder: number
  media: number
  other: number
}

/** An input with which each endpoint succeeds. Those that take something away make it first. */
const successes: { [Name in EndpointName]: (world: World) => ClientInput<Endpoint> | Promise<ClientInput<Endpoint>> } = {
  'sign-in': ({ service: { demo } }) => {
    const ts = Math.floor(Date.now() / 1000)
    const hmac = createHmac('sha1', demo.api_secret).update(`${demo.api_key}:${ts}`).digest('hex')
    return { body: { username: demo.username, password: demo.password, key: demo.api_key, ts, hmac } }
  },
  'validate-token': () => ({ params: { tokenString: 'nothing' } }),
  'request-password-reset': () => ({ body: { username: 'nobody@example.com' } }),
  'confirm-password-reset': async ({ accounts }) => {
    const { startPasswordReset } = await import('../shared/library/accounts/password-resets.ts')
    const { findUser } = await import('../shared/library/accounts/users.ts')
    const { userId } = await accounts.user()
    const user = await findUser(accounts.table, userId)
    return { body: { code: await startPasswordReset(accounts.table, { now: Date.now }, user!), password: 'another long password' } }
  },
  'list-folders': () => ({}),
  'create-folder': () => ({ body: { name: 'New', parent: null } }),
  'get-folder': ({ folder }) => ({ params: { id: folder } }),
  'change-folder': ({ folder }) => ({ params: { id: folder }, body: { name: 'Renamed' } }),
  'delete-folder': async ({ client }) => ({ params: { id: (await client['create-folder']({ body: { name: 'To delete' } })).body.id } }),
  'register-upload': ({ folder }) => ({ body: { folder } }),
  'finalize-upload': async ({ client, folder }) => {
    const { body } = await client['register-upload']({ body: { folder } })
    const posted = await postForm(body, Buffer.from('some text'), 'text.txt')
    return { params: { uploadId: new URL(posted.headers.get('location')!).pathname.split('/').at(-1)! } }
  },
  'get-media': ({ media }) => ({ params: { id: media } }),
  'get-metadata': ({ media }) => ({ params: { id: media } }),
  'replace-metadata': ({ media }) => ({ params: { id: media }, body: { title: { en: 'Title' } } }),
  'set-title': ({ media }) => ({ params: { id: media }, body: { en: 'Title' } }),
  'set-description': ({ media }) => ({ params: { id: media }, body: { en: 'Description' } }),
  'set-byline': ({ media }) => ({ params: { id: media }, body: 'Byline' }),
  'set-copyright': ({ media }) => ({ params: { id: media }, body: 'Copyright' }),
  'get-expiration-date': ({ media }) => ({ params: { id: media } }),
  'set-expiration-date': ({ media }) => ({ params: { id: media }, body: { expiration_date: '2030-01-31' } }),
  'delete-expiration-date': ({ media }) => ({ params: { id: media } }),
  'add-keywords': ({ media }) => ({ params: { id: media }, body: { en: ['one', 'two'] } }),
  'remove-keywords': ({ media }) => ({ params: { id: media }, body: { en: ['one'] } }),
  'replace-keywords': ({ media }) => ({ params: { id: media }, body: { en: ['three'] } }),
  'delete-keywords': ({ media }) => ({ params: { id: media } }),
  'get-version': ({ media }) => ({ params: { id: media } }),
  'get-tags': ({ media }) => ({ params: { id: media } }),
  'list-media-folders': ({ media }) => ({ params: { id: media } }),
  'replace-media-folders': ({ media, folder }) => ({ params: { id: media }, body: [{ group_id: folder, status: 'RELEASED' }] }),
  'copy-media': ({ media, other }) => ({ params: { id: media, folderId: other } }),
  'move-media': ({ media, folder, other }) => ({ params: { id: media }, body: { from: other, to: folder } }),
  'remove-media': async ({ client, media, other }) => {
    await client['copy-media']({ params: { id: media, folderId: other } })
    return { params: { id: media, folderId: other } }
  },
  'search-media': ({ folder }) => ({
    query: {
      folder_ids: [folder],
      return_values: ['unique_media_id', 'title', 'keywords', 'thumbnail_url', 'geo_location', 'folder_id', 'cdn_urls', 'camera_created'],
    },
  }),
  'get-download-location': ({ media }) => ({ params: { id: media }, query: { download_info: '{"purpose":"test"}' } }),
  'get-sized-download-location': ({ media }) => ({ params: { id: media, size: '320px' } }),
  'get-preview': ({ media }) => ({ params: { id: media } }),
}

describe('every endpoint', () => {
  let world: World
  let resetAuthorization: string
  before(async () => {
    const service = await startService()
    const client = await service.client()
    const accounts = await provisioning(service)
    const create = async (name: string) => (await client['create-folder']({ body: { name, parent: null } })).body.id
    const [folder, other] = [await create('Folder'), await create('Other')]
    const { id } = await uploadAndImport(client, folder, await images['plain.jpg'](), 'plain.jpg')
    world = { service, client, accounts, folder, other, media: Number(id) }
    resetAuthorization = hmacAuthorization(await accounts.key(['password_reset']))
  })
  after(async () => {
    world.accounts.close()
    await world.service.stop()
  })

  const authorizationFor = async ({ access }: Endpoint) =>
    access === 'anyone' ? null : access === 'password reset application' ? resetAuthorization : await world.service.signIn()

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name]
    const call = async (authorization: string | null, input: ClientInput<Endpoint>) => {
      const client = apiClient(
        { [name]: endpoint },
        { baseUrl: world.service.baseUrl, ...(authorization === null ? {} : { authorization }) },
      )
      return client[name]!({ ...input, init: { headers: { Origin: 'https://client.example' } } })
    }

    describe(name, () => {
      test('succeeds, as the API document says', async () => {
        const conforms = conformity((await (await world.service.request('/openapi.json')).json()) as OpenApiDocument)
        const answer = await call(await authorizationFor(endpoint), await successes[name](world))
        assert.ok(answer.status < 400, `${answer.status} ${JSON.stringify(answer.body)}`)
        conforms(endpoint.route, answer.status, answer.body)
        labelled(answer)
      })

      test('answers with and without a trailing slash', async () => {
        const { params } = await successes[name](world)
        const [method, template] = endpoint.route.split(' ') as [string, string]
        const path = template.replace(/\{(\w+)\}/g, (_, key: string) => String(params?.[key]))
        const send = (at: string) => world.service.request(at, { method, ...(method === 'GET' ? {} : { body: '[' }) })
        assert.equal((await send(`${path}/`)).status, (await send(path)).status)
      })

      if (endpoint.access === 'anyone') return

      test('without valid authorization it is 401, in the shape of errors', async () => {
        const conforms = conformity((await (await world.service.request('/openapi.json')).json()) as OpenApiDocument)
        const input = await successes[name](world)
        for (const authorization of [null, '', 'garbage', 'SVC-SIMPLE-TOKEN Token=wrong', 'SVC-HMAC Key=no HMAC=no TS=1']) {
          const answer = await call(authorization, input)
          assert.equal(answer.status, 401, String(authorization))
          conforms(endpoint.route, 401, answer.body)
          labelled(answer)
        }
      })

      test('an API key without grants is refused', async () => {
        const answer = await call(hmacAuthorization(await world.accounts.key([])), await successes[name](world))
        assert.equal(answer.status, endpoint.access === 'user' ? 401 : 403)
      })

      if (endpoint.access === 'password reset application') return

      test('what belongs to another company does not exist', async () => {
        const input = await successes[name](world)
        const named = input.params !== undefined || JSON.stringify(input.body ?? '').includes(String(world.folder))
        if (!named) return
        const companyId = await world.accounts.company('Another')
        const stranger = await world.accounts.user({ companyId, admin: true, username: `stranger to ${name}` })
        assert.equal((await call(stranger.authorization, input)).status, 404)
      })

      test('a member without any right on the folder sees nothing of it', async () => {
        const input = await successes[name](world)
        const named = input.params !== undefined || JSON.stringify(input.body ?? '').includes(String(world.folder))
        if (!named) return
        const member = await world.accounts.user({ username: `member for ${name}` })
        assert.equal((await call(member.authorization, input)).status, 404)
      })

      if (endpoint.params && name !== 'finalize-upload') {
        test('ids that cannot be, and unknown ones, are 404 or 400', async () => {
          const input = await successes[name](world)
          for (const id of ['0', '-1', '2147483648', '99999999999999999999', '1']) {
            const answer = await call(await authorizationFor(endpoint), { ...input, params: { ...input.params, id } })
            assert.equal(answer.status, 404, id)
          }
          for (const id of ['abc', '1.5', "1'--", '%00']) {
            const answer = await call(await authorizationFor(endpoint), { ...input, params: { ...input.params, id } })
            assert.equal(answer.status, 400, id)
          }
        })
      }

      if (endpoint.body) {
        test('a malformed body, and one of a wrong type, are 400 with what is wrong', async () => {
          const { params } = await successes[name](world)
          const [method, template] = endpoint.route.split(' ') as [string, string]
          const path = template.replace(/\{(\w+)\}/g, (_, key: string) => String(params?.[key]))
          const authorization = (await authorizationFor(endpoint)) ?? ''
          for (const body of ['{"a":', '[[[', 'nul', '12', '[1]', '{"en": 5, "name": 5, "folder": "x", "from": {}}', '']) {
            const response = await world.service.request(path, { method, headers: { authorization }, body })
            assert.equal(response.status, 400, body)
            const { errors } = (await response.json()) as { errors: unknown[] }
            assert.ok(errors.length > 0)
          }
        })
      }
    })
  }

  test('unknown paths and methods are 404, also without authorization', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/nothing'],
      ['GET', '/media'],
      ['PATCH', '/folder'],
      ['PUT', '/folder'],
      ['POST', '/search'],
      ['DELETE', '/folder'],
    ] as const) {
      const response = await world.service.request(path, { method, headers: { Origin: 'https://client.example' } })
      assert.equal(response.status, 404, `${method} ${path}`)
      labelled({ status: 404, headers: response.headers, body: await response.json() })
    }
  })
})

function hmacAuthorization({ key, secret }: { key: string; secret: string }): string {
  const ts = Math.floor(Date.now() / 1000)
  return `SVC-HMAC Key=${key} HMAC=${createHmac('sha1', secret).update(`${key}:${ts}`).digest('hex')} TS=${ts}`
}

/** What every answer carries (decisions 1 to 4). */
function labelled({ status, headers, body }: { status: number; headers: Headers; body: unknown }): void {
  assert.match(headers.get('x-svc-request-id') ?? '', /^[\w-]{8,}$/)
  assert.equal(headers.get('access-control-allow-origin'), 'https://client.example')
  assert.match(headers.get('vary') ?? '', /origin/i)
  assert.match(headers.get('access-control-expose-headers') ?? '', /x-svc-request-id/i)
  assert.equal(headers.get('access-control-allow-credentials'), null)
  if (body !== null) assert.match(headers.get('content-type') ?? '', /^application\/json/)
  if (status >= 400) assert.deepEqual(Object.keys(body as object).slice(0, 3), ['message', 'code', 'request_id'])
}
