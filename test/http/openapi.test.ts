import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, test } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../functions/endpoints.ts'
import { type Endpoint, endpoint } from '../../shared/http/endpoint.ts'
import { FolderIdText } from '../../shared/http/fields.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { type Method, type Route, splitRoute } from '../../shared/http/route.ts'
import { defaultSettings } from '../../shared/settings.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape.
type Json = any

const document: Json = openApiDocument(endpoints, defaultSettings)
const operations: { name: string; method: Method; path: string; operation: Json; endpoint: Endpoint }[] = Object.entries(endpoints).map(
  ([name, declared]) => {
    const { method, path } = splitRoute(declared.route(defaultSettings))
    return { name, method, path, operation: document.paths[path][method.toLowerCase()], endpoint: declared }
  },
)
const operationOf = (name: string) => operations.find((each) => each.name === name)!.operation

/** Everything in the document, with where it stands. */
function* parts(held: Json = document, path = ''): Generator<[string, Json]> {
  yield [path, held]
  if (typeof held === 'object' && held !== null)
    for (const [name, part] of Object.entries(held)) yield* parts(part ?? null, `${path}/${name}`)
}

const isId = (name: string) => /^(id|.*_id|.*Id|from|to|folder|ownerIdentifier|companyId|uploaded_by|parent|user)$/.test(name)

describe('the published document', () => {
  test('ids are integers from 1 to 2147483647 in paths, queries, bodies and answers', () => {
    const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 }
    const isInteger = (schema: Json): boolean => {
      const one = schema.items ?? schema.anyOf?.[schema.anyOf.findIndex((each: Json) => each.type === 'integer')] ?? schema
      return Object.entries(id).every(([keyword, value]) => one[keyword] === value || one[keyword]?.includes?.(value))
    }
    const ofNobody = ['/FoundStockItem/properties/uploaded_by', '/Media/properties/uploaded_by']
    const exceptions = [
      'uploadId',
      'upload_id',
      'job_id',
      'webhookId',
      '/Event/properties/id',
      'shareId',
      'share_id',
      '/ShareLink/properties/id',
      '/NewShareLink/properties/id',
      '/Webhook/properties/id',
      '/CreatedWebhook/properties/id',
      '/Delivery/properties/id',
      'event_id',
      '/ReplayInput/properties/from',
      '/ReplayInput/properties/to',
      '/UserFolder/properties/id',
      '/UserFolder/properties/company_id',
      'request_id',
      ...ofNobody,
    ]
    const ids = [...parts()].flatMap(([path, held]) => {
      if (held?.in === 'path' && isId(held.name)) return [[`${path} ${held.name}`, held.schema]]
      return /\/properties\/\w+$/.test(path) && isId(path.split('/').at(-1)!) ? [[path, held]] : []
    })
    assert.ok(ids.length > 60)
    for (const [path, schema] of ids)
      if (!exceptions.some((each) => path.endsWith(each))) assert.ok(isInteger(schema), `${path} ${JSON.stringify(schema)}`)
  })

  test('a search of the stock library takes what a search of own media takes, a language, and no folders', () => {
    const names = (name: string): string[] => operationOf(name).parameters.map((parameter: Json) => parameter.name)
    const expected = names('search-media').filter((name) => name !== 'folder_ids')
    assert.deepEqual(names('search-stock').sort(), [...expected, 'lang'].sort())
    const values = operationOf('search-stock').parameters.find(({ name }: Json) => name === 'return_values').schema.items.enum
    assert.ok(values.includes('folder_id') && !values.includes('folder_ids'))
  })

  test('every change of metadata takes If-Match, and nothing else does', () => {
    const changesMetadata = ({ method, path }: (typeof operations)[number]) => method !== 'GET' && path.startsWith('/media/{id}/metadata')
    for (const each of operations) {
      const { parameters = [], responses } = each.operation
      const takes = parameters.some(({ name }: Json) => name === 'If-Match')
      assert.deepEqual([takes, '412' in responses], Array(2).fill(changesMetadata(each)), each.name)
    }
  })

  test('every request that changes something for a known caller takes Idempotency-Key', () => {
    for (const { name, method, operation, endpoint: declared } of operations) {
      // The keys of people without an account would be those of the maker of their link.
      const isKnown = !['anyone', 'session', 'share link'].includes(declared.access)
      const changes = method !== 'GET' && isKnown && (declared.uses.table?.startsWith('write') ?? false)
      const takes = (operation.parameters ?? []).some((parameter: Json) => parameter.name === 'Idempotency-Key')
      assert.deepEqual([takes, declared.idempotent ?? false], [changes, changes], name)
      assert.equal('422' in operation.responses, changes || (declared.refuses?.includes('mismatch') ?? false), name)
    }
  })

  test('answers are open', () => {
    for (const [path, held] of parts()) {
      if (held?.additionalProperties === false) assert.match(path, /\/schemas\/\w+Input$/)
    }
  })

  test('says how each operation is authorized', () => {
    const expected: Record<Endpoint['access'], string[]> = {
      anyone: [],
      session: [],
      user: ['token'],
      'user or application': ['token', 'hmac'],
      'share link': [],
      'password reset application': ['hmac'],
    }
    for (const { name, method, operation, endpoint } of operations) {
      const schemes = operation.security.map((each: object) => Object.keys(each).join())
      const authorized = expected[endpoint.access]
      const inQuery = authorized.length > 0 && method === 'GET' ? ['authorizationParameter'] : []
      const takesSessions = !['anyone', 'share link', 'password reset application'].includes(endpoint.access)
      const session = takesSessions ? [method === 'GET' ? 'sessionCookie' : 'sessionCookie,csrf'] : []
      assert.deepEqual(schemes, [...authorized, ...inQuery, ...session], name)
    }
    const { hmac, authorizationParameter } = document.components.securitySchemes
    assert.match(hmac.description, /300 seconds/)
    assert.deepEqual([authorizationParameter.in, authorizationParameter.name], ['query', 'Authorization'])
  })

  test('every operation has a description, a tag that is explained, and an example of what it takes and gives', () => {
    const tags = document.tags.map(({ name }: Json) => name)
    for (const { name, operation } of operations) {
      assert.match(operation.description, /^[A-Z`].*\.$/s, name)
      assert.ok(tags.includes(operation.tags[0]), name)
      for (const { name: parameter, required, example, content } of operation.parameters ?? []) {
        if (required) assert.ok(example !== undefined || content, `${name} ${parameter}`)
      }
      for (const { content = {} } of [operation.requestBody ?? {}, operation.responses[200] ?? {}]) {
        if (content['application/json']) assert.ok(content['application/json'].example !== undefined, name)
      }
    }
  })

  test('both successes of a file have one schema, whose status tells which it is', () => {
    const { responses } = document.paths['/media/{id}'].get
    const schemas = [200, 202].map((status) => responses[status].content['application/json'].schema)
    assert.deepEqual(schemas, Array(2).fill({ $ref: '#/components/schemas/MediaOrImportProgress' }))
    const [media, progress] = ['#/components/schemas/Media', '#/components/schemas/ImportProgress']
    assert.deepEqual(document.components.schemas.MediaOrImportProgress, {
      oneOf: [{ $ref: media }, { $ref: progress }],
      discriminator: { propertyName: 'status', mapping: { available: media, importing: progress, delayed: progress } },
    })
    const examples = [200, 202].map((status) => responses[status].content['application/json'].example.status)
    assert.deepEqual(examples, ['available', 'importing'])
  })

  test('generators of clients meet neither constants nor unions with null', () => {
    const text = JSON.stringify(document)
    assert.doesNotMatch(text, /"const":|\{"type":"null"\}/)
    assert.deepEqual(document.components.schemas.IssuedToken.properties.type, { type: 'integer', enum: [1] })
    assert.deepEqual(document.components.schemas.Folder.properties.parent.type, ['integer', 'null'])
  })

  test('its examples are what their schemas ask for', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', components: document.components })
    const valid = (schema: Json, value: Json, where: string) => {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')))
      assert.ok(validate(value), `${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`)
    }
    for (const [path, held] of parts()) {
      if (held?.schema && held.example !== undefined) valid(held.schema, held.example, path)
      if (Array.isArray(held?.examples)) for (const example of held.examples) valid(held, example, path)
    }
  })

  test('every answer has a schema with a name, or is a list of such', () => {
    for (const { name, operation } of operations) {
      for (const [status, { content }] of Object.entries<Json>(operation.responses)) {
        const schema = content?.['application/json']?.schema
        if (schema) assert.match(schema.$ref ?? schema.items?.$ref ?? '', /^#\/components\/schemas\/\w+$/, `${name} ${status}`)
      }
    }
  })

  test('names statuses one by one, and none that does not occur', () => {
    const statuses = (name: string) => Object.keys(operationOf(name).responses).join(' ')
    assert.equal(statuses('get-preview'), '302 400 401 403 404 409 503 5XX')
    assert.equal(statuses('upload-profile-image'), '201 400 401 403 404 409 413 422 429 503 5XX')
    assert.equal(statuses('request-password-reset').split(' ')[0], '204')
    assert.equal(statuses('get-media'), '200 202 400 401 403 404 503 5XX')
    assert.equal(statuses('get-profile-image'), '200 304 400 401 404 5XX')
    assert.equal(statuses('whoami'), '200 401 5XX')
    assert.equal(statuses('validate-token'), '200 5XX')
    assert.equal(statuses('confirm-password-reset'), '200 400 409 413 429 503 5XX')
    assert.equal(statuses('finalize-upload'), '200 302 403 404 409 503 5XX')
  })

  test('answers name their headers', () => {
    const names = (name: string, status: number) => Object.keys(operationOf(name).responses[status].headers)
    for (const { name, operation } of operations) {
      for (const [status, answer] of Object.entries<Json>(operation.responses)) {
        const { headers } = answer.$ref ? document.components.responses[answer.$ref.split('/').at(-1)] : answer
        assert.ok(headers['X-Svc-Request-Id'] && headers['Access-Control-Allow-Origin'], `${name} ${status}`)
      }
    }
    assert.ok(names('get-preview', 302).includes('Location'))
    assert.ok(names('get-profile-image', 200).includes('ETag') && names('get-profile-image', 304).includes('ETag'))
    assert.ok(document.components.responses.TooManyRequests.headers['Retry-After'])
  })

  test('says every value of an enum, every date form, length and character rule', () => {
    const { schemas } = document.components
    assert.deepEqual(schemas.Media.properties.type.enum, ['image', 'vector', 'video', 'generic', 'stock'])
    assert.deepEqual(schemas.Media.properties.media_type.enum, ['image', 'vector', 'video', 'generic'])
    const query = Object.fromEntries(operationOf('search-media').parameters.map(({ name, schema }: Json) => [name, schema]))
    for (const value of ['unique_media_id', 'cdn_urls', 'geo_location']) assert.ok(query.return_values.items.enum.includes(value))
    assert.equal(query.min_date.format, 'date-time')
    assert.equal(query.min_expiration_date.format, 'date')
    const { name } = schemas.NewFolder.properties
    assert.deepEqual([name.minLength, name.maxLength], [1, 255])
    for (const [text, fits] of [
      ['Harbour', true],
      [' a\tb', false],
      ['   ', false],
      ['a\u202eb', false],
      ['港', true],
    ] as const) {
      assert.equal(new RegExp(name.pattern, 'u').test(text), fits, text)
    }
    assert.equal(schemas.Line.maxLength, 5_000)
  })

  test('follows the brand', () => {
    const branded: Json = openApiDocument(endpoints, { ...defaultSettings, brand: 'CBX' })
    assert.ok(branded.components.schemas.Clique.properties.cbx_id)
    assert.ok(branded.components.responses.NotFound.headers['X-Cbx-Request-Id'])
    assert.match(branded.components.securitySchemes.token.description, /CBX-SIMPLE-TOKEN/)
    assert.ok(!JSON.stringify(branded).includes('svc_id'))
  })

  test('two schemas of one name are refused', () => {
    const named = (shape: z.ZodRawShape) => z.object(shape).meta({ id: 'Thing' })
    const declared = (route: Route, returns: z.ZodType) =>
      endpoint({ route, summary: 'S', description: 'D.', access: 'anyone', uses: {}, returns, handle: async () => ({}) })
    const table = { one: declared('GET /one', named({ id: FolderIdText })), two: declared('GET /two', named({ name: z.string() })) }
    assert.throws(() => openApiDocument(table, defaultSettings), /two schemas are called Thing/)
  })
})
