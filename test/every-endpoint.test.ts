import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type EndpointName, endpoints } from '../functions/endpoints.ts'
import type { ClientInput } from '../shared/http/declaration/client.ts'
import { apiClient } from '../shared/http/declaration/client.ts'
import { type Endpoint, isBytesBody, isRevalidated, takesApplications } from '../shared/http/declaration/endpoint.ts'
import { splitRoute } from '../shared/http/declaration/route.ts'
import type { OpenApiDocument } from '../shared/http/openapi/document.ts'
import type { Problem } from '../shared/library/errors.ts'
import { provisioning } from './support/accounts.ts'
import { conformity } from './support/conformity.ts'
import { loopbackProviders } from './support/openid-server.ts'
import { elsewhere, routeSettings, startService } from './support/service.ts'
import { type Browser, signInBrowser } from './support/session.ts'
import { hmacAuthorization, successes } from './support/successes.ts'
import { assertVoice } from './support/voice.ts'
import { callerOf, makeFiles, type World } from './support/world.ts'

/** What all endpoints have in common. A new endpoint needs one line in `successes` (support/successes.ts), or nothing compiles. */

/** Whether a request without a body is as one with an empty object. */
const takesNothing = ({ body }: Endpoint): boolean => body !== undefined && !isBytesBody(body) && body.safeParse(undefined).success

describe('every endpoint', () => {
  let world: World
  let authorizations: { nobody: undefined; user: string; resetter: string }
  /** An admin of another company, and a user of the same one without any right. */
  let stranger: string
  let member: string
  let browser: Browser
  let conforms: ReturnType<typeof conformity>
  beforeAll(async () => {
    const service = await startService(loopbackProviders)
    const client = await service.client()
    const accounts = await provisioning(service)
    conforms = conformity((await (await service.request('/openapi.json')).json()) as OpenApiDocument)
    world = { service, client, accounts, ...(await makeFiles(client)) }
    const resetter = hmacAuthorization(await accounts.key(['password_reset']))
    authorizations = { nobody: undefined, user: await service.signIn(), resetter }
    stranger = (await accounts.user({ companyId: await accounts.company('Another'), admin: true })).authorization
    member = (await accounts.user()).authorization
    browser = await signInBrowser(service, service.demo)
  })
  afterAll(async () => {
    world.accounts.close()
    await world.service.stop()
  })

  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name]
    const call = async (authorization: string | undefined, input: ClientInput<Endpoint>) => {
      const client = apiClient(
        { [name]: endpoint },
        { baseUrl: world.service.baseUrl, ...routeSettings, ...(authorization === undefined ? {} : { authorization }) },
      )
      return client[name]!({ ...input, init: { headers: { Origin: 'https://client.example', ...input.init?.headers } } })
    }

    /** Where a call that succeeds goes. */
    const address = async () => {
      const { params } = await successes[name](world)
      const { method, path } = splitRoute(endpoint.route(routeSettings))
      return { method, path: path.replace(/\{(\w+)\}/g, (_, key: string) => String(params?.[key])) }
    }
    /** Whether a call names something of the company. */
    const namesSomething = ({ params, body }: ClientInput<Endpoint>) =>
      params !== undefined || JSON.stringify(body ?? '').includes(String(world.folder))

    // A deployed service asks no provider on this machine.
    describe(name, endpoint.uses.openId ? elsewhere : {}, () => {
      test('succeeds, as the API document says', async () => {
        const input = await successes[name](world)
        const answer = await call(authorizations[callerOf(endpoint, input)], input)
        assert.ok(answer.status < 400, `${answer.status} ${JSON.stringify(answer.body)}`)
        conforms(endpoint.route(routeSettings), answer.status, answer.body)
        labelled(answer)
        const hasVersion = isFile(answer.headers) || isRevalidated(endpoint) || endpoint.versioned
        assert.equal(answer.headers.has('etag'), hasVersion ?? false)
      })

      if (isRevalidated(endpoint)) {
        test('sends its list only to who does not have it', async () => {
          const [authorization, input] = [authorizations[callerOf(endpoint)], await successes[name](world)]
          const { headers } = await call(authorization, input)
          const etag = headers.get('etag')!
          assert.equal(headers.get('cache-control'), 'private, no-cache')
          const again = await call(authorization, { ...input, init: { headers: { 'If-None-Match': etag } } })
          assert.deepEqual([again.status, again.body, again.headers.get('etag')], [304, null, etag])
          labelled(again)
        })
      }

      // Each form has another boundary, so another body.
      if (endpoint.idempotent && !(isBytesBody(endpoint.body) && endpoint.body.field !== undefined)) {
        test('answers a request that is sent again under the same key as before', async () => {
          const input = await successes[name](world)
          const authorization = authorizations[callerOf(endpoint, input)]
          const keyed = { ...input, init: { headers: { ...input.init?.headers, 'Idempotency-Key': randomUUID() } } }
          const [first, again] = [await call(authorization, keyed), await call(authorization, keyed)]
          assert.ok(first.status < 400, `${first.status} ${JSON.stringify(first.body)}`)
          const told = Object.entries(first.body ?? {}).filter(([field]) => !endpoint.shownOnce?.includes(field))
          assert.deepEqual([again.status, again.body], [first.status, endpoint.shownOnce ? Object.fromEntries(told) : first.body])
          assert.deepEqual(
            [first, again].map(({ headers }) => headers.get('idempotency-replayed')),
            [null, 'true'],
          )
          labelled(again)
        })
      }

      test('answers with and without a trailing slash', async () => {
        // What lets everybody in may have an effect, so each request has something of its own.
        const send = async (slash: string) => {
          const { method, path } = await address()
          return (await world.service.request(path + slash, { method, ...(method === 'GET' ? {} : { body: '[' }) })).status
        }
        assert.equal(await send('/'), await send(''))
      })

      if (endpoint.access === 'anyone' || endpoint.access === 'share link') return

      test('without valid authorization it is 401, in the shape of errors', async () => {
        // A session is in headers.
        const { init: _, ...input } = await successes[name](world)
        for (const authorization of [undefined, '', 'garbage', 'SVC-SIMPLE-TOKEN Token=wrong', 'SVC-HMAC Key=no HMAC=no TS=1']) {
          const answer = await call(authorization, input)
          assert.equal(answer.status, 401, String(authorization))
          conforms(endpoint.route(routeSettings), 401, answer.body)
          labelled(answer)
        }
      })

      test('an API key without grants is refused', async () => {
        const answer = await call(hmacAuthorization(await world.accounts.key([])), await successes[name](world))
        assert.equal(answer.status, takesApplications(endpoint.access) ? 403 : 401)
      })

      if (endpoint.access === 'password reset application') return

      test('a session is accepted from pages of our own', async () => {
        const { cookie, csrf } = browser
        const { method } = splitRoute(endpoint.route(routeSettings))
        const input = await successes[name](world)
        const page = (site: string) => ({
          ...{ cookie, ...(method === 'GET' ? {} : { 'x-csrf': csrf }) },
          ...input.init?.headers,
          'sec-fetch-site': site,
        })
        const answer = await call(undefined, { ...input, init: { headers: page('same-origin') } })
        assert.ok(answer.status < 400, `${answer.status} ${JSON.stringify(answer.body)}`)
        labelled(answer)
        assert.equal((await call(undefined, { ...input, init: { headers: page('same-site') } })).status, 401)
        assert.equal((await call('', { ...input, init: { headers: page('same-origin') } })).status, 401)
      })

      test('what belongs to another company does not exist', async () => {
        const input = await successes[name](world)
        if (!namesSomething(input)) return
        assert.equal((await call(stranger, input)).status, 404)
      })

      test('a member without any right on the folder sees nothing of it', async () => {
        const input = await successes[name](world)
        // People of one company know of each other, of their cliques, webhooks and presets: their own journeys say who may see what.
        const segments = splitRoute(endpoint.route(routeSettings)).path.split('/')
        const ofPeople = ['company', 'user', 'clique', 'webhook', 'preset'].some((name) => segments.includes(name))
        if (!namesSomething(input) || ofPeople) return
        assert.equal((await call(member, input)).status, 404)
      })

      if (endpoint.params?.id) {
        test('ids that cannot be, and unknown ones, are 404 or 400', async () => {
          const input = await successes[name](world)
          for (const id of ['0', '-1', '2147483648', '99999999999999999999', '1']) {
            const answer = await call(authorizations[callerOf(endpoint)], { ...input, params: { ...input.params, id } })
            assert.equal(answer.status, 404, id)
          }
          for (const id of ['abc', '1.5', "1'--", '%00']) {
            const answer = await call(authorizations[callerOf(endpoint)], { ...input, params: { ...input.params, id } })
            assert.equal(answer.status, 400, id)
          }
        })
      }

      if (endpoint.body) {
        test('without authorization a body is not even parsed', async () => {
          const { method, path } = await address()
          assert.equal((await world.service.request(path, { method, body: '{' })).status, 401)
        })

        test('a malformed body, one of a wrong type, and one without its file are 400 with what is wrong', async () => {
          const { method, path } = await address()
          const authorization = authorizations[callerOf(endpoint)] ?? ''
          const empty = takesNothing(endpoint) ? [] : ['']
          const malformed = ['{"a":', '[[[', 'nul', '12', '[1]', '{"en": 5, "name": 5, "folder": "x", "from": {}}', ...empty]
          const other = new FormData()
          other.set('other', 'value')
          const jpeg = new Uint8Array([0xff, 0xd8, 0xff])
          const withoutFile = isBytesBody(endpoint.body) ? ['{}', jpeg, new URLSearchParams({ file: 'x' }), new FormData(), other] : []
          for (const body of [...malformed, ...withoutFile]) {
            const response = await world.service.request(path, { method, headers: { authorization }, body })
            assert.equal(response.status, 400, String(body))
            const { message, errors } = (await response.json()) as { message: string; errors: Problem[] }
            assertVoice(errors)
            assert.match(message, /^\S.*\.$/)
          }
        })
      }
    })
  }

  test('unknown paths and methods are 404, also without authorization', async () => {
    for (const asked of ['GET /', 'GET /nothing', 'GET /media', 'PATCH /folder', 'POST /search']) {
      const [method = '', path = ''] = asked.split(' ')
      const response = await world.service.request(path, { method, headers: { Origin: 'https://client.example' } })
      assert.equal(response.status, 404, asked)
      labelled({ status: 404, headers: response.headers, body: await response.json() })
    }
  })

  test('a preflight allows the headers that clients send, on known and unknown paths', async () => {
    for (const path of ['/folder', '/media/1/metadata/title', '/nothing/at/all']) {
      const { status, headers } = await world.service.request(path, { method: 'OPTIONS', headers: { Origin: 'https://client.example' } })
      assert.equal(status, 204, path)
      assert.match(headers.get('x-svc-request-id') ?? '', /^[\w-]{8,}$/)
      assert.equal(headers.get('access-control-allow-origin'), 'https://client.example')
      assert.equal(headers.get('vary'), 'Origin')
      assert.equal(headers.get('access-control-allow-methods'), 'GET, POST, PUT, DELETE, OPTIONS')
      assert.equal(headers.get('access-control-allow-headers'), 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Csrf')
      assert.equal(headers.get('access-control-max-age'), '86400')
    }
  })
})

/** What every answer carries. */
function labelled({ status, headers, body }: { status: number; headers: Headers; body: unknown }): void {
  assert.match(headers.get('x-svc-request-id') ?? '', /^[\w-]{8,}$/)
  assert.equal(headers.get('access-control-allow-origin'), 'https://client.example')
  assert.match(headers.get('vary') ?? '', /origin/i)
  assert.equal(headers.get('access-control-expose-headers'), 'X-Svc-Request-Id, ETag, Retry-After, Idempotency-Replayed')
  assert.equal(headers.get('access-control-allow-credentials'), null)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), isKept(headers) ? 'private, no-cache' : 'no-store')
  if (body instanceof Uint8Array) assert.match(headers.get('content-type') ?? '', /^(image\/jpeg|text\/vtt|text\/html; charset=utf-8)$/)
  else if (body !== null) assert.match(headers.get('content-type') ?? '', /^application\/json/)
  if (status >= 400) assert.deepEqual(Object.keys(body as object).slice(0, 3), ['message', 'code', 'request_id'])
}

/** Whether a client may keep an answer: not what a file's version alone stands for, because it tells more than that. */
const isKept = (headers: Headers) => headers.has('etag') && !/^"\d+"$/.test(headers.get('etag')!)

const isFile = (headers: Headers) => ['image/jpeg', 'text/vtt'].includes(headers.get('content-type') ?? '')
